// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore

extension MediaForm {
    /// The header fields of the bytes.
    func fields(of object: ObjectMetadata) -> HTTPFields {
        let attributes = object.attributes
        var fields = validators(of: object)
        fields[.contentType] = attributes.contentType
        fields[.acceptRanges] = "bytes"
        fields[.contentEncoding] = attributes.contentEncoding
        fields[.contentLanguage] = attributes.contentLanguage
        fields.set("x-goog-generation", String(object.generation))
        fields.set("x-goog-metageneration", String(object.metageneration))
        fields.set("x-goog-storage-class", attributes.storageClass)
        fields.set("x-goog-stored-content-encoding", attributes.contentEncoding ?? "identity")
        fields.set("x-goog-stored-content-length", String(object.byteCount))
        setOwnFields(of: object, in: &fields)
        return fields
    }

    private func setOwnFields(of object: ObjectMetadata, in fields: inout HTTPFields) {
        let sums = ["crc32c=\(object.digest.crc32cBase64)", "md5=\(object.digest.md5Base64)"]
        switch self {
        case .firebase:
            fields[.contentDisposition] = object.attributes.contentDisposition
            fields.set("x-goog-hash", sums.joined(separator: ", "))
            for (key, value) in object.attributes.customMetadata.sorted(by: { $0.key < $1.key }) {
                fields.set("x-goog-meta-\(key)", value)
            }
        case .json:
            fields[.contentDisposition] = "attachment"
            fields.set("x-goog-hash", sums.joined(separator: ","))
        }
    }
}

extension HTTPFields {
    /// Sets a field whose name or value may come from a client; one that HTTP cannot carry is left out.
    fileprivate mutating func set(_ name: String, _ value: String) {
        guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { return }
        self[name] = value
    }
}
