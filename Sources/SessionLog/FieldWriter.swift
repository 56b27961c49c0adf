// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// Builds a line: the known fields in the order they are added, then the unknown ones in the order of their keys.
struct FieldWriter {
    private var fields: [(key: String, value: JSONValue)] = []
    private var extra: [String: JSONValue]

    init(type: String, extra: [String: JSONValue]) {
        self.extra = extra
        add("type", .string(type))
    }

    /// Adds a field unless it is `nil`; a known field takes the place of an unknown one of the same name.
    mutating func add(_ key: String, _ value: JSONValue?) {
        guard let value else { return }
        extra[key] = nil
        fields.append((key, value))
    }

    mutating func add(_ key: String, _ text: String?) { add(key, text.map(JSONValue.string)) }

    mutating func add(_ key: String, _ strings: [String]) { add(key, .array(strings.map(JSONValue.string))) }

    mutating func add(_ key: String, _ number: some BinaryInteger) { add(key, .integer(Int64(number))) }

    /// Adds an inner object together with the unknown fields that were read under its key.
    mutating func add(_ key: String, object known: [String: JSONValue]) {
        var merged = known
        if case .object(let unknown)? = extra[key] { merged.merge(unknown) { known, _ in known } }
        add(key, .object(merged))
    }

    func encoded() -> [UInt8] {
        var text: [UInt8] = []
        JSONValue.write(fields + extra.sorted { $0.key < $1.key }, to: &text)
        return text
    }
}
