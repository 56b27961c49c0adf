// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSONWriting

/// A JSON text as it was written: members in order, numbers unread.
indirect enum JSONTree: Equatable {
    case null
    case boolean(Bool)
    /// The literal.
    case number(String)
    case string(String)
    case array([JSONTree])
    case object([Member])

    struct Member: Equatable {
        var name: String
        var value: JSONTree
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
