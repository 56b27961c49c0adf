// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The header fields of a response, found by their names in any case.
public struct HeaderFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var values: [String: String] = [:]

    /// Creates fields from a dictionary; of names that differ only in case, one is kept.
    public init(_ fields: [String: String]) {
        for (name, value) in fields { values[name.lowercased()] = value }
    }

    /// Creates fields from a literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { values[name.lowercased()] = value }
    }

    /// The bytes of the fields in a head of HTTP/1.1.
    package var byteCount: Int { values.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 4 } }

    /// The value of a field.
    public subscript(_ name: String) -> String? { values[name.lowercased()] }
}
