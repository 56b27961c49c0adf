// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import ObjectStore

extension ObjectRecord {
    /// The object, read as the official emulator does: what is absent or null has its default, and values of custom
    /// metadata become texts.
    func object() throws(Fault) -> ImportedObject {
        var object = ImportedObject(path: try path(), attributes: try attributes())
        object.generation = try count("generation", upTo: ImportedObject.generationMax).flatMap { $0 == 0 ? nil : $0 }
        object.metageneration = try count("metageneration").flatMap { $0 == 0 ? nil : $0 } ?? 1
        object.timeCreated = try time("timeCreated")
        object.updated = try time("updated")
        object.byteCount = try count("size")
        object.expected = ExpectedDigest(md5: try md5(), crc32c: try crc32c())
        if case .object(let own) = json[Self.ownMember] ?? .null, !own.isEmpty {
            object.extras = String(decoding: JSONValue.object(own).encoded, as: UTF8.self)
        }
        return object
    }

    private func path() throws(Fault) -> ObjectPath {
        guard let bucketText = try text("bucket"), let nameText = try text("name") else {
            throw Fault(reason: "it has no name or no bucket")
        }
        guard let bucket = BucketName(bucketText) else { throw Fault(reason: "'\(bucketText)' is no bucket name") }
        guard let name = ObjectName(withSlashes(nameText)) else { throw Fault(reason: "its name is no object name") }
        return ObjectPath(bucket: bucket, name: name)
    }

    /// The name as the app knows it.
    ///
    /// Windows may have written it with backslashes, which the official emulator takes for slashes when the first
    /// separator is one. Names that were exported here are what they are.
    private func withSlashes(_ name: String) -> String {
        let separator = name.utf8.first { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        guard separator == UInt8(ascii: "\\"), json[Self.ownMember] == nil else { return name }
        let bytes = name.utf8.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func attributes() throws(Fault) -> ObjectAttributes {
        var custom = try customMetadata()
        let tokens = try downloadTokens(custom.removeValue(forKey: "firebaseStorageDownloadTokens"))
        let encoding = try text("contentEncoding")
        var attributes = ObjectAttributes(
            contentType: try text("contentType") ?? ObjectAttributes.contentTypeDefault,
            contentEncoding: encoding == "identity" ? nil : encoding,
            contentDisposition: try text("contentDisposition"),
            contentLanguage: try text("contentLanguage"),
            cacheControl: try text("cacheControl"),
            customMetadata: custom,
            downloadTokens: tokens,
            storageClass: try text("storageClass") ?? "STANDARD"
        )
        attributes.customTime = try time("customTime")
        return attributes
    }

    private func customMetadata() throws(Fault) -> [String: String] {
        switch json["customMetadata"] ?? .null {
        case .null: return [:]
        case .object(let members):
            return members.mapValues { value in
                switch value {
                case .null: ""
                case .string(let text): text
                default: String(decoding: value.encoded, as: UTF8.self)
                }
            }
        default: throw Fault(reason: "its customMetadata is no object")
        }
    }

    /// Tokens in an array, as versions from 9.17 on write them, or in one text, each once.
    private func downloadTokens(_ custom: String?) throws(Fault) -> [String] {
        var tokens: [String] = []
        switch json["downloadTokens"] ?? .null {
        case .null: break
        case .string(let text): tokens = text.split(separator: ",").map(String.init)
        case .array(let elements):
            tokens = elements.compactMap(\.string)
            guard tokens.count == elements.count else { throw Fault(reason: "its downloadTokens are no texts") }
        default: throw Fault(reason: "its downloadTokens is no array")
        }
        for token in (custom ?? "").split(separator: ",") where !tokens.contains(String(token)) {
            tokens.append(String(token))
        }
        return tokens
    }
}
