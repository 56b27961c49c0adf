// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import ObjectStore

/// An object resource as a client sends it: what it names is wanted, `null` is wanted away, the rest stays.
struct ObjectChanges: Sendable {
    /// The largest body that describes an object, in bytes.
    static let byteCountMax = 1 << 20
    /// Where custom metadata carry the download tokens.
    static let tokenKey = "firebaseStorageDownloadTokens"

    let members: [String: JSONValue]

    /// No requested changes.
    static let none = Self(members: [:])

    private init(members: [String: JSONValue]) {
        self.members = members
    }

    /// Takes a part of a body; anything but an object means no changes.
    init(_ value: JSONValue?) {
        guard case .object(let members) = value else {
            self = .none
            return
        }
        self.members = members
    }

    /// Reads JSON; an empty text means no changes.
    init(parsing json: [UInt8]) throws(StorageFailure) {
        guard !json.allSatisfy({ $0 <= 0x20 }) else {
            self = .none
            return
        }
        guard case .object(let members) = try Self.value(of: json) else {
            throw .unreadable("expected an object", reason: "parseError")
        }
        self.members = members
    }

    /// Reads JSON as loosely as production does; nearly every body is strict.
    private static func value(of json: [UInt8]) throws(StorageFailure) -> JSONValue {
        if let value = try? JSONValue(parsing: json) { return value }
        do {
            return JSONValue(try LooseJSONParser.parse(json, namesAreFree: true))
        } catch {
            throw .unreadable((error as? LooseJSONError)?.message ?? "", reason: "invalid")
        }
    }

    /// The name of the object, where the body rather than the address has it.
    var name: String? { members["name"]?.string }

    /// The checksums that the client computed.
    func expectedDigest() throws(StorageFailure) -> ExpectedDigest {
        var expected = ExpectedDigest.anything
        try expected.expect(md5: members["md5Hash"]?.string)
        try expected.expect(crc32c: members["crc32c"]?.string)
        return expected
    }

    /// Whether the client describes the whole object, rather than only its storage class and its access.
    var describesContent: Bool {
        !members.keys.allSatisfy { ["storageClass", "acl", "kind", "name", "bucket"].contains($0) }
    }

    /// The text of a member: `nil` when it is not named, an inner `nil` when it is to go away.
    ///
    /// Numbers and booleans count as their text, as Google's parsers have it.
    func text(_ key: String) throws(StorageFailure) -> String?? {
        guard let value = members[key] else { return nil }
        guard value != .null else { return .some(nil) }
        guard let text = value.asText else { throw .invalidMember(key) }
        return text
    }

    /// The truth of a member: `nil` when it is not named, an inner `nil` when it is to go away.
    func flag(_ key: String) throws(StorageFailure) -> Bool?? {
        switch members[key] {
        case nil: return nil
        case .null: return .some(nil)
        case .bool(let isTrue): return isTrue
        default: throw .invalidMember(key)
        }
    }
}

extension JSONValue {
    /// The text of a string, a number or a boolean; `nil` for other values.
    var asText: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .integer(let number): String(number)
        case .bool(let isTrue): String(isTrue)
        case .null, .array, .object: nil
        }
    }
}

extension StorageFailure {
    /// A member of the body that is not of the type it must be.
    static func invalidMember(_ key: String) -> Self {
        var failure = invalid("Invalid value for field '\(key)'.")
        failure.location = .parameter(key)
        failure.firebaseMessage = invalidMetadata
        return failure
    }

    /// A body that is no JSON object, in the words of production's parser (recorded 2026-09).
    fileprivate static func unreadable(_ complaint: String, reason: String) -> Self {
        var failure = Self(status: 400, message: "Parse Error: \(complaint)", reason: reason)
        failure.firebaseMessage = invalidMetadata
        failure.uploadServerForm = .upload
        return failure
    }

    /// As recorded from production in 2026.
    private static let invalidMetadata = "Invalid metadata input."
}
