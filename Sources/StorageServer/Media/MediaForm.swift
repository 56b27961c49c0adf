// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore
import Wire

/// How an API dresses the bytes of an object; the differences were recorded from production in 2026.
enum MediaForm {
    /// The v0 API, to callers with a download token or a user's, or to the administrator.
    case firebase(isAdministrator: Bool)
    /// Google's JSON API.
    case json
    /// The XML API, to anyone, or to callers with a signed URL or credentials.
    case xml(isPublic: Bool)

    /// The entity tag: the quoted MD5 of the bytes, or the bare tag of the metadata.
    func entityTag(of object: ObjectMetadata) -> String {
        switch self {
        // A composed object has no MD5.
        case .firebase, .xml: "\"\(object.digest.md5Hex ?? "-\(object.etag)")\""
        case .json: object.etag
        }
    }

    /// How long caches may keep an object that does not say so itself.
    var cacheControlDefault: String {
        switch self {
        case .firebase(isAdministrator: false), .xml(isPublic: false): "private, max-age=0"
        case .firebase(isAdministrator: true), .json: "no-cache, no-store, max-age=0, must-revalidate"
        // https://cloud.google.com/storage/docs/metadata#cache-control, "publicly accessible objects" (2026-11).
        case .xml(isPublic: true): "public, max-age=3600"
        }
    }

    /// How long caches may keep an object; only those who come without credentials hear what it says itself.
    private func cacheControl(of object: ObjectMetadata) -> String {
        switch self {
        case .firebase(isAdministrator: true), .json: cacheControlDefault
        case .firebase(isAdministrator: false), .xml: object.attributes.cacheControl ?? cacheControlDefault
        }
    }

    /// The fields that identify the version for caches; all that a 304 carries (RFC 9110 section 15.4.5).
    func validators(of object: ObjectMetadata) -> HTTPFields {
        var fields: HTTPFields = [
            .cacheControl: cacheControl(of: object),
            .eTag: entityTag(of: object),
            .lastModified: HTTPDate.text(secondsSinceEpoch: object.updated / 1_000_000),
        ]
        if case .json = self { fields[.vary] = "Origin, X-Origin" }
        return fields
    }
}
