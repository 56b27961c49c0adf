// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A value of BSON, which the protocol writes as a map of one reserved field.
///
/// Stored as the map it came as. Only databases other than the default one have such values: there production's
/// Standard edition refuses the name, and here too.
///
/// Source of the forms and their order: Google's client for Python 2.34.1 (`bson.py`, `order.py`, 2026-11).
package enum BSONForm: Equatable, Sendable {
    case minKey
    case maxKey
    /// Outside of 32 bits refused when written.
    case int32(Int64)
    case decimal128(String)
    /// A subtype, then the data.
    case binary([UInt8])
    case timestamp(seconds: Int64, increment: Int64)
    /// In hexadecimal.
    case objectID(String)
    case regex(pattern: String, options: String)

    /// Returns `nil` for any other map.
    package init?(_ fields: [String: Value]) {
        // Nearly every map leaves here: this runs for each map of each document.
        guard fields.count == 1, let (name, content) = fields.first, name.utf8.first == UInt8(ascii: "_") else {
            return nil
        }
        switch (name, content) {
        case (Name.minKey, .null): self = .minKey
        case (Name.maxKey, .null): self = .maxKey
        case (Name.int32, .integer(let number)): self = .int32(number)
        case (Name.decimal128, .string(let text)): self = .decimal128(text)
        case (Name.binary, .bytes(let bytes)): self = .binary(bytes)
        case (Name.objectID, .string(let text)): self = .objectID(text)
        case (Name.timestamp, .map(let parts)): self.init(timestamp: parts)
        case (Name.regex, .map(let parts)): self.init(regex: parts)
        default: return nil
        }
    }

    private init?(timestamp parts: [String: Value]) {
        guard parts.count == 2, case .integer(let seconds) = parts["seconds"],
            case .integer(let increment) = parts["increment"]
        else { return nil }
        self = .timestamp(seconds: seconds, increment: increment)
    }

    private init?(regex parts: [String: Value]) {
        guard parts.count == 2, case .string(let pattern) = parts["pattern"],
            case .string(let options) = parts["options"]
        else { return nil }
        self = .regex(pattern: pattern, options: options)
    }

    /// Says in a map what value it stands for, such as a vector.
    package static let typeName = "__type__"

    private enum Name {
        static let minKey = "__min__"
        static let maxKey = "__max__"
        static let int32 = "__int__"
        static let decimal128 = "__decimal128__"
        static let binary = "__binary__"
        static let timestamp = "__request_timestamp__"
        static let objectID = "__oid__"
        static let regex = "__regex__"
    }
}

extension BSONForm {
    /// A map's fields as production stores them: special decimal numbers are spelt in one way.
    package static func normalizing(_ fields: [String: Value]) -> [String: Value] {
        guard case .decimal128(let text) = BSONForm(fields), let special = Decimal128(parsing: text)?.specialName else {
            return fields
        }
        return [Name.decimal128: .string(special)]
    }
}

extension DatabaseID {
    /// Whether values of BSON can be stored.
    package var hasBSON: Bool { database != Self.defaultDatabase }
}

extension BSONForm {
    /// Refuses what no BSON value may be.
    package func validate() throws {
        switch self {
        case .minKey, .maxKey: break
        case .int32(let number):
            guard Int32(exactly: number) != nil else { throw FirestoreError.int32OutOfRange(number) }
        case .decimal128(let text):
            guard Decimal128(parsing: text) != nil else { throw FirestoreError.decimal128Invalid }
        case .binary(let bytes):
            guard !bytes.isEmpty else { throw FirestoreError.binaryWithoutSubtype }
        case .timestamp(let seconds, let increment):
            try Self.validate(seconds, named: "seconds")
            try Self.validate(increment, named: "increment")
        case .objectID(let text): try Self.validate(objectID: text)
        case .regex(_, let options):
            if let option = options.first(where: { !"imsux".contains($0) }) {
                throw FirestoreError.regexOptionInvalid(option)
            }
        }
    }

    private static func validate(_ number: Int64, named name: String) throws {
        guard UInt32(exactly: number) != nil else { throw FirestoreError.uint32OutOfRange(name, number: number) }
    }

    private static func validate(objectID text: String) throws {
        guard text.utf8.count == 24 else { throw FirestoreError.objectIDLengthInvalid }
        guard text.allSatisfy(\.isHexDigit) else { throw FirestoreError.objectIDInvalid }
    }
}
