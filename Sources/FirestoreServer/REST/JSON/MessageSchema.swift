// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The fields of the messages in request bodies and answers, as far as refusals name them.
///
/// SwiftProtobuf does not publish the fields of a message; consulted only for bodies that it cannot read, and for
/// selections of an answer's fields.
struct MessageSchema: Sendable {
    /// The contents of a field.
    indirect enum Kind: Equatable, Sendable {
        case scalar(Scalar)
        /// A number or string in a message of its own, whose JSON is the bare value.
        case wrapped(Scalar)
        /// The type's full name and its values.
        case enumeration(String, [Substring])
        case message(String)
        case list(Kind)
        /// From strings.
        case map(Kind)
    }

    /// The types that JSON writes as one value; the raw value is their name in the table.
    enum Scalar: String, Sendable {
        case bool, int32, int64, double, string, bytes, timestamp, null
    }

    struct Field: Equatable, Sendable {
        /// As declared: `order_by`.
        let name: String
        let kind: Kind
        /// The choice of which only one field may be set.
        let choice: String?

        /// As written in JSON: `orderBy`.
        var jsonName: String {
            let words = name.split(separator: "_")
            return words.dropFirst().reduce(String(words.first ?? "")) { camel, word in
                camel + word.prefix(1).uppercased() + word.dropFirst()
            }
        }
    }

    /// By the message's full name.
    private static let messages: [String: MessageSchema] = {
        let lines = table.split(separator: "\n").map { $0.split(separator: " ") }
        let schemas = lines.map { (fullName($0[0]), MessageSchema(fields: $0.dropFirst().map { Field(parsing: $0) })) }
        return Dictionary(uniqueKeysWithValues: schemas)
    }()

    /// By the type's full name.
    fileprivate static let enumerations: [String: [Substring]] = {
        let lines = enumerationTable.split(separator: "\n").map { $0.split(separator: " ") }
        return Dictionary(uniqueKeysWithValues: lines.map { (fullName($0[0]), Array($0.dropFirst())) })
    }()

    /// Returns `nil` for a message that is neither in a request body nor in an answer.
    static func named(_ name: String) -> MessageSchema? { messages[name] }

    static var allNames: [String] { messages.keys.sorted() }

    let fields: [Field]

    /// A field by either of its names.
    func field(named name: String) -> Field? {
        fields.first { $0.name == name || $0.jsonName == name }
    }

    fileprivate static func fullName(_ name: Substring) -> String {
        name.hasPrefix("google.") ? String(name) : "google.firestore.v1.\(name)"
    }
}

extension MessageSchema.Field {
    /// Parses `name:kind` or `name:kind@choice`.
    fileprivate init(parsing text: Substring) {
        let parts = text.split(separator: ":")
        let kind = parts[1].split(separator: "@")
        self.init(
            name: String(parts[0]),
            kind: MessageSchema.Kind(parsing: kind[0]),
            choice: kind.dropFirst().first.map(String.init)
        )
    }
}

extension MessageSchema.Kind {
    /// Parses `*kind` for a list, `%kind` for a map, `=scalar` for a wrapped one, `#Name` for an enumeration.
    fileprivate init(parsing text: Substring) {
        let rest = text.dropFirst()
        switch text.first {
        case "*": self = .list(Self(parsing: rest))
        case "%": self = .map(Self(parsing: rest))
        case "=": self = MessageSchema.Scalar(rawValue: String(rest)).map { .wrapped($0) } ?? .message("")
        case "#":
            let name = MessageSchema.fullName(rest)
            self = .enumeration(name, MessageSchema.enumerations[name] ?? [])
        default:
            let scalar = MessageSchema.Scalar(rawValue: String(text))
            self = scalar.map { .scalar($0) } ?? .message(MessageSchema.fullName(text))
        }
    }
}

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
