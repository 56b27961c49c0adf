// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A JSON text as it was written: members in order, numbers unread.
package indirect enum JSONTree: Equatable, Sendable {
    case null
    case boolean(Bool)
    /// The literal.
    case number(String)
    case string(String)
    case array([JSONTree])
    case object([Member])

    package struct Member: Equatable, Sendable {
        package var name: String
        package var value: JSONTree

        package init(name: String, value: JSONTree) {
            self.name = name
            self.value = value
        }
    }
}

extension JSONValue {
    /// The value of a JSON text; of members with the same name the last one counts.
    package init(_ tree: JSONTree) {
        switch tree {
        case .null: self = .null
        case .boolean(let flag): self = .bool(flag)
        case .number(let literal): self = Int64(literal).map { .integer($0) } ?? .number(literal)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { JSONValue($0) })
        case .object(let members):
            self = .object(Dictionary(members.map { ($0.name, JSONValue($0.value)) }) { $1 })
        }
    }
}
