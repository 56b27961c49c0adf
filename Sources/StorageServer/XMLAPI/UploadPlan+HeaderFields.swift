// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import ObjectStore
import Wire

extension UploadPlan {
    private static let customPrefix = "x-goog-meta-"

    /// The upload that the header fields of a request to the XML API describe.
    init(_ path: ObjectPath, for call: StorageCall, now: Int64) throws {
        self.init(.xml, bucket: path.bucket, name: path.name)
        requested = Self.requested(call).rendered(isIndented: false)
        mediaType = call.request.headers[.contentType].flatMap { $0.isEmpty ? nil : $0 }
        preconditions = try XMLConditions(call).preconditions
        customerKeyHash = try CustomerKey.read(call)?.hash
        time = now
    }

    /// As the resource of an object that the JSON API would be sent.
    private static func requested(_ call: StorageCall) -> JSONText {
        let fields = call.request.headers
        let texts: [(String, String?)] = [
            ("cacheControl", fields[.cacheControl]), ("contentDisposition", fields[.contentDisposition]),
            ("contentEncoding", fields[.contentEncoding]), ("contentLanguage", fields[.contentLanguage]),
            ("customTime", call["x-goog-custom-time"]), ("kmsKeyName", call["x-goog-encryption-kms-key-name"]),
            ("md5Hash", call["Content-MD5"]), ("storageClass", call["x-goog-storage-class"]),
        ]
        var custom: [String: String] = [:]
        for field in fields where field.name.canonicalName.hasPrefix(customPrefix) {
            custom[String(field.name.canonicalName.dropFirst(customPrefix.count))] = fields[field.name]
        }
        return .object(
            compacting: texts.map { ($0, $1.map(JSONText.string)) } + [("metadata", .texts(custom))]
        )
    }
}

extension ObjectMetadata {
    /// The header fields of the answer to an upload.
    var storedFields: HTTPFields {
        var fields: HTTPFields = [.eTag: MediaForm.xml(isPublic: true).entityTag(of: self)]
        fields.set("x-goog-generation", to: String(generation))
        fields.set("x-goog-metageneration", to: String(metageneration))
        fields.set("x-goog-hash", to: digest.hashField())
        fields.set("x-goog-stored-content-encoding", to: attributes.contentEncoding ?? "identity")
        fields.set("x-goog-stored-content-length", to: String(byteCount))
        return fields
    }
}
