// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSONReading
import JSONWriting

extension JSONText {
    /// JSON that was read, its numbers as they were written.
    init(_ tree: JSONTree) {
        switch tree {
        case .null: self = .verbatim("null")
        case .boolean(let flag): self = .boolean(flag)
        case .number(let literal): self = .verbatim(literal)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { JSONText($0) })
        case .object(let members): self = .object(members.map { ($0.name, JSONText($0.value)) })
        }
    }
}

extension JSONTree {
    /// The strict JSON of the tree, without spaces.
    var text: String {
        switch self {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .number(let literal): literal
        case .string(let text): JSONText.quoted(text)
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\(JSONText.quoted($0.name)):\($0.value.text)" }.joined(separator: ","))}"
        }
    }
}
