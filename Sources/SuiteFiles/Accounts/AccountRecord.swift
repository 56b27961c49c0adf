// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

/// The members of a user in an export.
struct AccountRecord {
    /// The problem of a record.
    struct Fault: Error {
        let reason: String
    }

    /// The last millisecond of the year 9999: later times cannot be written.
    static let timeMax: Int64 = 253_402_300_799_999

    let json: JSONValue
}

extension AccountRecord {
    /// A text that says something; `nil` when the member is absent, null or empty.
    func text(_ key: String) throws(Fault) -> String? {
        switch json[key] ?? .null {
        case .null: return nil
        case .string(let text): return text.isEmpty ? nil : text
        default: throw Fault(reason: "its \(key) is not a text")
        }
    }

    func boolean(_ key: String) throws(Fault) -> Bool? {
        switch json[key] ?? .null {
        case .null: return nil
        case .bool(let value): return value
        default: throw Fault(reason: "its \(key) is neither true nor false")
        }
    }

    /// Milliseconds or seconds since the Unix epoch, as text or number.
    func time(_ key: String, upTo limit: Int64 = timeMax) throws(Fault) -> Int64? {
        let value = json[key] ?? .null
        if value == .null || value == .string("") { return nil }
        guard let time = value.integer ?? value.string.flatMap({ Int64($0) }), (0...limit).contains(time) else {
            throw Fault(reason: "its \(key) is not a time in digits")
        }
        return time
    }

    /// Milliseconds since the Unix epoch, from a time of RFC 3339.
    func moment(_ key: String) throws(Fault) -> Int64? {
        guard let text = try text(key) else { return nil }
        guard let time = AccountTime.milliseconds(text), (0...Self.timeMax).contains(time) else {
            throw Fault(reason: "its \(key) is not a time such as 2026-11-21T00:51:46.653Z")
        }
        return time
    }

    func records(_ key: String) throws(Fault) -> [AccountRecord]? {
        switch json[key] ?? .null {
        case .null: return nil
        case .array(let elements): return elements.map(AccountRecord.init)
        default: throw Fault(reason: "its \(key) is not a list")
        }
    }

    /// A random id of letters and digits.
    static func randomID(_ count: Int) -> String {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        return String((0..<count).compactMap { _ in alphabet.randomElement() })
    }
}
