// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension BSONForm {
    /// Refuses what no BSON value may be.
    func validate() throws {
        switch self {
        case .minKey, .maxKey: break
        case .int32(let number):
            guard Int32(exactly: number) != nil else { throw DocumentStoreError.int32OutOfRange(number) }
        case .decimal128(let text):
            guard Decimal128(parsing: text) != nil else { throw DocumentStoreError.decimal128Invalid }
        case .binary(let bytes):
            guard !bytes.isEmpty else { throw DocumentStoreError.binaryWithoutSubtype }
        case .timestamp(let seconds, let increment):
            try Self.validate(seconds, named: "seconds")
            try Self.validate(increment, named: "increment")
        case .objectID(let text): try Self.validate(objectID: text)
        case .regex(_, let options):
            if let option = options.first(where: { !"imsux".contains($0) }) {
                throw DocumentStoreError.regexOptionInvalid(option)
            }
        }
    }

    private static func validate(_ number: Int64, named name: String) throws {
        guard UInt32(exactly: number) != nil else { throw DocumentStoreError.uint32OutOfRange(name, number) }
    }

    private static func validate(objectID text: String) throws {
        guard text.utf8.count == 24 else { throw DocumentStoreError.objectIDLengthInvalid }
        guard text.allSatisfy(\.isHexDigit) else { throw DocumentStoreError.objectIDInvalid }
    }
}
