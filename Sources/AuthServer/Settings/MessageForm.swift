// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The members of a message of the Admin API, for reading it as production does (proto3 JSON).
struct MessageForm: Sendable {
    let members: [String: MemberForm]
    /// A group of which a message has one member at most, and its name.
    var oneOf: (name: String, members: Set<String>)?
    /// Members that are there even where a call does not name them.
    var always: [String: JSONValue] = [:]
    /// The member without which an element of a list is dropped.
    var requirement: String?
    /// The members that stay when a mask clears the message.
    var lasting: Set<String> = []

    /// Reads a message: without the members that have their default values.
    ///
    /// - Parameters:
    ///   - value: The message as it was sent.
    ///   - path: Its place in the body, for refusals.
    /// - Returns: The message as it is kept and answered.
    /// - Throws: A refusal that names the member which is not known or cannot have its value.
    func read(_ value: JSONValue, at path: String) throws(AuthFailure) -> JSONValue {
        guard case .object(let given) = value else { throw .invalidValue(value, type: "TYPE_MESSAGE", at: path) }
        try checkOneOf(given, at: path)
        var result = always
        for (key, value) in given.sorted(by: { $0.key < $1.key }) where value != .null {
            let name = members[key] == nil ? key.camelCased : key
            guard let member = members[name] else { throw .unknownName(key, at: path) }
            if let value = try member.read(value, at: "\(path).\(name.snakeCased)") { result[name] = value }
        }
        return .object(result)
    }

    private func checkOneOf(_ given: [String: JSONValue], at path: String) throws(AuthFailure) {
        guard let oneOf else { return }
        let named = given.keys.filter(oneOf.members.contains).sorted()
        guard named.count > 1 else { return }
        throw .badRequest(
            "Invalid value at '\(path)' (oneof), oneof field '\(oneOf.name)' is already set. Cannot set '\(named[1])'",
            at: path
        )
    }
}

/// The values that a member of a message may have.
indirect enum MemberForm: Sendable {
    case boolean
    /// A boolean that is kept when it is false.
    case flag
    case text
    case int32
    case int64
    case decimal
    /// A name of an enumeration; the first one is the default.
    case choice(type: String, [String])
    case message(MessageForm)
    case list(MemberForm)
    case map(MemberForm)
    /// Phone numbers for tests, and their codes.
    case phones
    case anything
    /// A member that only production sets.
    case readOnly

    static func members(_ members: [String: MemberForm]) -> Self { .message(MessageForm(members: members)) }

    /// Reads a value; `nil` for the default, which answers leave out.
    func read(_ value: JSONValue, at path: String) throws(AuthFailure) -> JSONValue? {
        switch self {
        case .boolean: value.isTruth ? .bool(true) : nil
        case .flag: .bool(value.isTruth)
        case .text: try Self.text(value, at: path)
        case .int32: try Self.integer(value, type: "TYPE_INT32", at: path).map(JSONValue.integer)
        case .int64: try Self.integer(value, type: "TYPE_INT64", at: path).map { .string(String($0)) }
        case .decimal: value == .integer(0) ? nil : value
        case .choice(let type, let names): try Self.choice(value, type, names, at: path)
        case .message(let form): try form.read(value, at: path)
        case .list(let element): try Self.list(value, of: element, at: path)
        case .map(let element): try Self.map(value, of: element, at: path)
        case .phones: try Self.map(value, of: .text, at: path, key: PhoneNumber.dialled)
        case .anything: value
        case .readOnly: nil
        }
    }

    private static func text(_ value: JSONValue, at path: String) throws(AuthFailure) -> JSONValue? {
        switch value {
        case .string(let text): text.isEmpty ? nil : value
        case .integer, .number: .string(String(decoding: value.encoded, as: UTF8.self))
        default: throw .invalidValue(value, type: "TYPE_STRING", at: path)
        }
    }

    private static func integer(_ value: JSONValue, type: String, at path: String) throws(AuthFailure) -> Int64? {
        let number = value.integer ?? value.string.flatMap { Int64($0) }
        guard let number else { throw .invalidValue(value, type: type, at: path) }
        return number == 0 ? nil : number
    }

    private static func choice(
        _ value: JSONValue,
        _ type: String,
        _ names: [String],
        at path: String
    ) throws(AuthFailure) -> JSONValue? {
        let number = value.integer.flatMap { Int(exactly: $0) }
        guard let index = value.string.flatMap({ names.firstIndex(of: $0) }) ?? number, names.indices.contains(index)
        else {
            throw .invalidValue(value, type: "type.googleapis.com/google.cloud.identitytoolkit.\(type)", at: path)
        }
        return index == 0 ? nil : .string(names[index])
    }

    private static func list(
        _ value: JSONValue,
        of element: MemberForm,
        at path: String
    ) throws(AuthFailure) -> JSONValue? {
        guard let given = value.array else { throw .invalidValue(value, type: "TYPE_MESSAGE", at: path) }
        var elements: [JSONValue] = []
        for (index, value) in given.enumerated() {
            let read = try element.read(value, at: "\(path)[\(index)]")
            if case .message(let form) = element, let name = form.requirement, read?[name] == nil { continue }
            elements.append(read ?? value)
        }
        return elements.isEmpty ? nil : .array(elements)
    }

    private static func map(
        _ value: JSONValue,
        of element: MemberForm,
        at path: String,
        key: (String) -> String = { $0 }
    ) throws(AuthFailure) -> JSONValue? {
        guard case .object(let given) = value else { throw .invalidValue(value, type: "TYPE_MESSAGE", at: path) }
        var members: [String: JSONValue] = [:]
        for (index, (name, value)) in given.sorted(by: { $0.key < $1.key }).enumerated() {
            members[key(name)] = try element.read(value, at: "\(path)[\(index)].value") ?? value
        }
        return members.isEmpty ? nil : .object(members)
    }
}

extension JSONValue {
    /// A boolean; production takes every text and number but false and zero for true (recorded, September 2026).
    fileprivate var isTruth: Bool {
        switch self {
        case .bool(let value): value
        case .integer(let number): number != 0
        case .string(let text): !["", "false", "0"].contains(text)
        default: true
        }
    }
}

extension String {
    /// `sign_in` as `signIn`.
    var camelCased: String {
        let words = split(separator: "_")
        guard let first = words.first else { return self }
        return first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
