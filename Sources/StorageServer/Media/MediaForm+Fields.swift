// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore

extension MediaForm {
    /// The header fields of the bytes.
    func fields(of object: ObjectMetadata) -> HTTPFields {
        let attributes = object.attributes
        var fields = validators(of: object)
        let type = attributes.contentType
        fields[.contentType] = type.isEmpty ? ObjectAttributes.contentTypeDefault : type
        fields[.contentEncoding] = attributes.contentEncoding
        fields[.contentLanguage] = attributes.contentLanguage
        fields.set("x-goog-generation", String(object.generation))
        fields.set("x-goog-metageneration", String(object.metageneration))
        fields.set("x-goog-storage-class", attributes.storageClass ?? "STANDARD")
        fields.set("x-goog-stored-content-encoding", attributes.contentEncoding ?? "identity")
        fields.set("x-goog-stored-content-length", String(object.byteCount))
        setOwnFields(of: object, in: &fields)
        return fields
    }

    private func setOwnFields(of object: ObjectMetadata, in fields: inout HTTPFields) {
        switch self {
        case .firebase, .xml:
            fields[.acceptRanges] = "bytes"
            fields[.contentDisposition] = object.attributes.contentDisposition
            fields.set("x-goog-hash", object.digest.hashField())
            for (key, value) in object.attributes.customMetadata.sorted(by: { $0.key < $1.key }) {
                fields.set("x-goog-meta-\(key.lowercased())", value)
            }
            setTokens(of: object, in: &fields)
        case .json:
            fields[.contentDisposition] = "attachment"
            fields.set("x-goog-hash", object.digest.hashField(separator: ","))
        }
    }

    /// The v0 API lists the download tokens among the custom metadata, of which they are a part below.
    private func setTokens(of object: ObjectMetadata, in fields: inout HTTPFields) {
        guard case .firebase = self, !object.attributes.downloadTokens.isEmpty else { return }
        fields.set("x-goog-meta-firebasestoragedownloadtokens", object.attributes.downloadTokens.joined(separator: ","))
    }
}
