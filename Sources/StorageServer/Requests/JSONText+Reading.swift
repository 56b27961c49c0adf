// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Wire

extension JSONText {
    /// JSON that was read, with the keys of its objects in order.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .verbatim("null")
        case .bool(let isTrue): self = .boolean(isTrue)
        case .integer(let number): self = .integer(number)
        case .number(let text): self = .verbatim(text)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(JSONText.init))
        case .object(let members):
            self = .object(members.sorted { $0.key < $1.key }.map { ($0.key, JSONText($0.value)) })
        }
    }
}

extension JSONValue {
    /// This value changed as another says: objects member by member, where `null` removes (RFC 7396).
    func merged(with patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var members: [String: JSONValue] = if case .object(let own) = self { own } else { [:] }
        for (key, change) in changes {
            members[key] = change == .null ? nil : (members[key] ?? .null).merged(with: change)
        }
        return .object(members)
    }

    /// The members of an object; none of other values.
    var members: [String: JSONValue] {
        if case .object(let members) = self { members } else { [:] }
    }

    /// The value at the end of a path of keys.
    subscript(path: String...) -> JSONValue? {
        path.reduce(Optional(self)) { value, key in value?[key] }
    }

    /// Whether the value is true, or the text of it.
    var isTrue: Bool { self == .bool(true) || string?.lowercased() == "true" }

    /// A time as Google's JSON writes it.
    static func time(microseconds: Int64) -> JSONValue {
        .string(RFC3339.text(microseconds: microseconds))
    }
}

extension JSONText {
    /// A 64-bit number as Google's JSON writes it: a string.
    static func decimal(_ number: Int64) -> JSONText { .string(String(number)) }

    /// A time as Google's JSON writes it, in milliseconds: `2026-11-21T00:51:46.653Z`.
    static func time(microseconds: Int64) -> JSONText {
        .string(RFC3339.text(microseconds: microseconds))
    }

    /// An object of strings in the order of their keys; `nil` when there are none.
    static func texts(_ texts: [String: String]) -> JSONText? {
        texts.isEmpty ? nil : .object(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }
}
