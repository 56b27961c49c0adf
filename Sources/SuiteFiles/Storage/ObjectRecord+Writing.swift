// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import ObjectStore
import SessionLog

extension ObjectMetadata {
    /// The metadata file of the object, with its members as the official emulator orders them.
    ///
    /// `digest` has an MD5 for composed objects too, because the official emulator wants one. A custom time stands in
    /// Firemeter's own member alone: the official emulator, once it has read one, ends at the first list of objects
    /// (firebase-tools 15.28.1, `src/emulator/storage/metadata.ts`, takes the text for a `Date`).
    func exportedRecord(_ digest: ObjectDigest) throws -> String {
        let members: [(String, JSONText?)] = [
            ("name", .string(name.description)),
            ("bucket", .string(bucket.description)),
            ("metageneration", .integer(metageneration)),
            ("generation", .integer(generation)),
            ("contentType", .string(attributes.contentType)),
            ("storageClass", attributes.storageClass.map(JSONText.string)),
            ("contentDisposition", attributes.contentDisposition.map(JSONText.string)),
            ("cacheControl", attributes.cacheControl.map(JSONText.string)),
            ("contentLanguage", attributes.contentLanguage.map(JSONText.string)),
            ("contentEncoding", attributes.contentEncoding.map(JSONText.string)),
            ("downloadTokens", .array(attributes.downloadTokens.map(JSONText.string))),
            ("etag", .string(etag)),
            ("customMetadata", customMetadata),
            ("timeCreated", Self.time(timeCreated)),
            ("updated", Self.time(updated)),
            ("size", .integer(byteCount)),
            ("md5Hash", digest.md5Base64.map(JSONText.string)),
            ("crc32c", .string(String(digest.crc32c))),
            (ObjectRecord.ownMember, try ownMember),
        ]
        return JSONText.object(compacting: members).rendered()
    }

    /// In milliseconds, as the official emulator writes its times, or in microseconds where there are any.
    private static func time(_ microseconds: Int64) -> JSONText {
        let text = LogTime(microseconds: microseconds).text
        return .string(text.hasSuffix("000Z") && text.contains(".") ? text.dropLast(4) + "Z" : text)
    }

    private var customMetadata: JSONText? {
        guard !attributes.customMetadata.isEmpty else { return nil }
        return .object(attributes.customMetadata.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }

    /// The fields that only objects here have, or none to mark a name with backslashes as one that Windows has not written.
    private var ownMember: JSONText? {
        get throws {
            if let extras = try extras() { return .verbatim(extras) }
            return name.description.utf8.contains(UInt8(ascii: "\\")) ? .object([]) : nil
        }
    }
}

extension ObjectPath {
    /// The name of the object's two files in an export: a UUID made of the path (RFC 9562, version 8), so that an export
    /// of the same objects has the same files.
    var exportedFileName: String {
        var bytes = SHA256Digest.bytes(of: .init(description.utf8)).prefix(16).map { $0 }
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
        return groups.map { digits[$0].joined() }.joined(separator: "-")
    }
}
