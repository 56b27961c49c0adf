// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The body of a call: members by the names of the API.
///
/// As Google's own servers do, it takes names in snake_case as well, integers as texts and texts as integers, and the values
/// of enumerations by their numbers. Free-form objects stay as they are.
struct AuthBody {
    let members: [String: JSONValue]
    private let path: String
    private let hasUnderscores: Bool

    static let empty = AuthBody([:])

    init(_ members: [String: JSONValue], at path: String = "") {
        self.members = members
        self.path = path
        hasUnderscores = members.keys.contains { $0.utf8.contains(UInt8(ascii: "_")) }
    }

    /// Reads a body of JSON; an empty one has no members.
    init(json bytes: [UInt8]) throws(AuthFailure) {
        guard !bytes.isEmpty else {
            self.init([:])
            return
        }
        do {
            guard case .object(let members) = try JSONValue(parsing: bytes) else {
                throw AuthFailure.payload("Root element must be a message.", reason: "parseError")
            }
            self.init(members)
        } catch let error as JSONError {
            throw .payload(error.description, reason: "parseError")
        } catch {
            throw (error as? AuthFailure) ?? .payload("\(error)", reason: "parseError")
        }
    }

    /// A member as it is; `nil` for an absent one, and for null.
    subscript(name: String) -> JSONValue? {
        let value = members[name] ?? (hasUnderscores ? members[name.snakeCased] : nil)
        return value == .null ? nil : value
    }

    func has(_ name: String) -> Bool { self[name] != nil }

    func text(_ name: String) throws(AuthFailure) -> String? {
        switch self[name] {
        case nil: nil
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let digits): digits
        default: throw .payload("\(path)/\(name) must be string")
        }
    }

    /// A text that is not empty.
    func filled(_ name: String) throws(AuthFailure) -> String? {
        let text = try text(name)
        return text == "" ? nil : text
    }

    func boolean(_ name: String) throws(AuthFailure) -> Bool? {
        switch self[name] {
        case nil: nil
        case .bool(let value): value
        default: throw .payload("\(path)/\(name) must be boolean")
        }
    }

    func isTrue(_ name: String) throws(AuthFailure) -> Bool { try boolean(name) ?? false }

    func integer(_ name: String) throws(AuthFailure) -> Int64? {
        guard let text = try text(name) else { return nil }
        guard let number = Int64(text) else { throw .payload("\(path)/\(name) must be integer") }
        return number
    }

    /// A value of an enumeration, by its name or its number; the name where it is known to be none.
    func choice(_ name: String, of values: [String]) throws(AuthFailure) -> String? {
        guard case .integer(let number) = self[name] else { return try text(name) }
        return values.indices.contains(Int(number)) ? values[Int(number)] : String(number)
    }

    func object(_ name: String) throws(AuthFailure) -> AuthBody? {
        switch self[name] {
        case nil: nil
        case .object(let members): AuthBody(members, at: "\(path)/\(name)")
        default: throw .payload("\(path)/\(name) must be object")
        }
    }

    func objects(_ name: String) throws(AuthFailure) -> [AuthBody]? {
        guard let elements = try elements(name) else { return nil }
        var objects: [AuthBody] = []
        for (number, element) in elements.enumerated() {
            guard case .object(let members) = element else {
                throw .payload("\(path)/\(name)/\(number) must be object")
            }
            objects.append(AuthBody(members, at: "\(path)/\(name)/\(number)"))
        }
        return objects
    }

    func texts(_ name: String) throws(AuthFailure) -> [String] {
        var texts: [String] = []
        for (number, element) in (try elements(name) ?? []).enumerated() {
            switch element {
            case .string(let text): texts.append(text)
            case .integer(let number): texts.append(String(number))
            default: throw .payload("\(path)/\(name)/\(number) must be string")
            }
        }
        return texts
    }

    private func elements(_ name: String) throws(AuthFailure) -> [JSONValue]? {
        guard let value = self[name] else { return nil }
        guard let elements = value.array else { throw .payload("\(path)/\(name) must be array") }
        return elements
    }
}

extension String {
    /// `idToken` as `id_token`.
    var snakeCased: String {
        var text = ""
        for character in self {
            if character.isUppercase { text += "_" }
            text += character.lowercased()
        }
        return text
    }
}
