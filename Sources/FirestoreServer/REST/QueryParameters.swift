// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import SwiftProtobuf
import Wire

/// The query of a request target; every parameter must be taken by someone.
struct QueryParameters {
    /// The parameters of Google's front end, each with its first value.
    private(set) var system: [SystemParameter: String] = [:]
    private var values: [String: [String]] = [:]

    /// Parses what follows the `?`.
    init(_ query: Substring) throws {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decode(parts[0], plusIsSpace: true),
                let value = PercentCoding.decode(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
            else { throw CallError.queryMalformed }
            if let parameter = SystemParameter(name: name) {
                system[parameter] = system[parameter] ?? value
            } else {
                values[Self.lowerCamel(name), default: []].append(value)
            }
        }
    }

    /// Takes every value of a repeatable parameter.
    mutating func list(_ name: String) -> [String] {
        values.removeValue(forKey: name) ?? []
    }

    /// Takes the value of a parameter that may appear once.
    mutating func single(_ name: String) throws -> String? {
        let found = list(name)
        guard found.count <= 1 else { throw CallError.parameterRepeated(name) }
        return found.first
    }

    /// Takes a truth value; production takes whatever is not `false` for true (recorded 2026-09).
    mutating func flag(_ name: String) throws -> Bool? {
        try single(name).map { $0 != "false" }
    }

    /// Takes a value whose JSON form is a string or may be written as one: a number, a timestamp, bytes.
    mutating func parsed<Message: SwiftProtobuf.Message>(_ name: String, as type: Message.Type) throws -> Message? {
        guard let text = try single(name) else { return nil }
        let scalar = Self.scalars[Message.protoMessageName] ?? .string
        // SwiftProtobuf takes some texts that Google refuses, such as a year of five digits.
        if scalar.strict(.string(text)) != nil, let message = try? Message(jsonString: JSONText.quoted(text)) {
            return message
        }
        var faults = BodyFaults()
        // A refusal names a parameter as declared, and a member of a body as in the JSON (recorded 2026-09).
        let declaredName = Self.declaredName(name)
        faults.addInvalidValue(
            scalar.complaint(about: .string(text), in: String(declaredName.split(separator: ".").last ?? "")),
            of: scalar.typeName,
            at: declaredName
        )
        throw faults.error
    }

    /// The messages whose JSON is a bare value.
    private static let scalars: [String: MessageSchema.Scalar] = [
        Google_Protobuf_Int32Value.protoMessageName: .int32,
        Google_Protobuf_BytesValue.protoMessageName: .bytes,
        Google_Protobuf_Timestamp.protoMessageName: .timestamp,
    ]

    /// Refuses unused parameters: a misspelt one would otherwise silently change the meaning.
    func finish() throws {
        if let name = values.keys.min() { throw CallError.parameterUnknown(name) }
    }

    /// The name as declared: `page_size` for `pageSize`.
    private static func declaredName(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }

    /// Parameters may be written as the JSON or as the declared field name.
    private static func lowerCamel(_ name: String) -> String {
        let words = name.split(separator: "_", omittingEmptySubsequences: false)
        return words.dropFirst().reduce(String(words.first ?? "")) { camel, word in
            camel + word.prefix(1).uppercased() + word.dropFirst()
        }
    }
}
