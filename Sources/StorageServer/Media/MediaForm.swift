// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
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

extension MediaForm {
    /// The header fields of the bytes.
    func fields(of object: ObjectMetadata) -> HTTPFields {
        let attributes = object.attributes
        var fields = validators(of: object)
        let type = attributes.contentType
        fields[.contentType] = type.isEmpty ? ObjectAttributes.contentTypeDefault : type
        fields[.contentEncoding] = attributes.contentEncoding
        fields[.contentLanguage] = attributes.contentLanguage
        fields.set("x-goog-generation", to: String(object.generation))
        fields.set("x-goog-metageneration", to: String(object.metageneration))
        fields.set("x-goog-storage-class", to: attributes.storageClass ?? "STANDARD")
        fields.set("x-goog-stored-content-encoding", to: attributes.contentEncoding ?? "identity")
        fields.set("x-goog-stored-content-length", to: String(object.byteCount))
        setOwnFields(of: object, in: &fields)
        return fields
    }

    private func setOwnFields(of object: ObjectMetadata, in fields: inout HTTPFields) {
        switch self {
        case .firebase, .xml:
            fields[.acceptRanges] = "bytes"
            fields[.contentDisposition] = object.attributes.contentDisposition
            fields.set("x-goog-hash", to: object.digest.hashField())
            for (key, value) in object.attributes.customMetadata.sorted(by: { $0.key < $1.key }) {
                fields.set("x-goog-meta-\(key.lowercased())", to: value)
            }
            setTokens(of: object, in: &fields)
        case .json:
            fields[.contentDisposition] = "attachment"
            fields.set("x-goog-hash", to: object.digest.hashField(separator: ","))
        }
    }

    /// The v0 API lists the download tokens among the custom metadata, of which they are a part below.
    private func setTokens(of object: ObjectMetadata, in fields: inout HTTPFields) {
        guard case .firebase = self, !object.attributes.downloadTokens.isEmpty else { return }
        fields.set(
            "x-goog-meta-firebasestoragedownloadtokens",
            to: object.attributes.downloadTokens.joined(separator: ",")
        )
    }
}

/// How an API answers ranges; the differences were recorded from production in 2026.
extension MediaForm {
    /// The header fields of a part; the JSON API gives no checksums of the whole with it.
    func partFields(_ whole: HTTPFields, contentRange: String) -> HTTPFields {
        var fields = whole
        fields[.contentRange] = contentRange
        if case .json = self { fields.remove("x-goog-hash") }
        return fields
    }

    /// The last bytes of an empty object: all of it, or a part with a range that only Google could think of.
    func nothing(of object: ObjectMetadata, whole: HTTPFields) -> Response {
        guard case .json = self else { return Response(status: .ok, headers: whole) }
        var fields = partFields(whole, contentRange: "bytes 0-0/0")
        fields.set("x-goog-hash", to: "crc32c=\(object.digest.crc32cBase64)")
        return Response(status: .partialContent, headers: fields)
    }

    /// The 416.
    func rangeNotSatisfiable(_ range: String?, of object: ObjectMetadata, whole: HTTPFields) -> Response {
        switch self {
        case .firebase:
            var failure = XMLFailure.invalidRange
            failure.details = range
            return failure.response.adding(whole)
        case .xml:
            var response = XMLFailure.invalidRange.response
            response.headers[.contentRange] = "bytes */\(object.byteCount)"
            return response
        case .json:
            var response = Response.text(
                "Request range not satisfiable",
                contentType: "text/html; charset=UTF-8",
                status: 416
            )
            response.headers[.contentRange] = "bytes */\(object.byteCount)"
            return response
        }
    }
}

extension Response {
    /// Adds the description of an object beside an answer that is not its bytes.
    fileprivate func adding(_ fields: HTTPFields) -> Response {
        var response = self
        let ofBytes: Set<HTTPField.Name> = [.contentType, .contentEncoding, .contentLanguage, .cacheControl]
        for field in fields where !ofBytes.contains(field.name) { response.headers[field.name] = field.value }
        return response
    }
}
