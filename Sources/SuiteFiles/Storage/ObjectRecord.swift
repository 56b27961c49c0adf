// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import ObjectStore
import SessionLog

/// The members of an object's metadata file.
struct ObjectRecord {
    /// The problem of a record.
    struct Fault: Error {
        let reason: String
    }

    /// The member, unknown to the official emulators, that holds what only Firemeter's objects have.
    static let ownMember = "firemeter"

    let json: JSONValue
}

extension ObjectRecord {
    /// A text that says something; `nil` when the member is absent, null or empty.
    func text(_ key: String) throws(Fault) -> String? {
        switch json[key] ?? .null {
        case .null: return nil
        case .string(let text): return text.isEmpty ? nil : text
        default: throw Fault(reason: "its \(key) is no text")
        }
    }

    func count(_ key: String, upTo limit: Int64 = .max) throws(Fault) -> Int64? {
        let value = json[key] ?? .null
        if value == .null { return nil }
        guard let count = value.integer ?? value.string.flatMap({ Int64($0) }), (0...limit).contains(count) else {
            throw Fault(reason: "its \(key) is no number that it may be")
        }
        return count
    }

    func time(_ key: String) throws(Fault) -> Int64? {
        guard let text = try text(key) else { return nil }
        guard let time = LogTime(text) else {
            throw Fault(reason: "its \(key) is no time such as 2026-11-21T00:51:46.653Z")
        }
        return time.microseconds
    }

    func md5() throws(Fault) -> [UInt8]? {
        guard let text = try text("md5Hash") else { return nil }
        guard let md5 = ExpectedDigest.md5(base64: text) else { throw Fault(reason: "its md5Hash is no MD5 in base64") }
        return md5
    }

    /// The checksum in decimal, as text or number.
    func crc32c() throws(Fault) -> UInt32? {
        let value = json["crc32c"] ?? .null
        if value == .null || value == .string("") { return nil }
        guard let number = value.integer ?? value.string.flatMap({ Int64($0) }), let crc32c = UInt32(exactly: number)
        else { throw Fault(reason: "its crc32c is no CRC-32C in decimal") }
        return crc32c
    }
}
