// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension BSONForm {
    /// The type among which the value sorts.
    package var tag: ValueTag {
        switch self {
        case .minKey: .minKey
        case .maxKey: .maxKey
        case .int32: .number
        case .decimal128(let text):
            switch Decimal128(parsing: text) {
            case .notANumber, nil: .notANumber
            case .finite, .infinity: .number
            }
        case .binary: .bsonBinary
        case .timestamp: .bsonTimestamp
        case .objectID: .objectID
        case .regex: .regex
        }
    }
}

extension KeyEncoder {
    /// Appends the body of a BSON value's key.
    package mutating func append(_ form: BSONForm) {
        switch form {
        case .minKey, .maxKey: break
        case .int32(let number): append(number)
        case .decimal128(let text): append(Decimal128(parsing: text) ?? .notANumber)
        case .binary(let bytes): bytes.withUnsafeBytes { append(escaping: $0) }
        case .timestamp(let seconds, let increment):
            appendBigEndian(seconds.orderedBits)
            appendBigEndian(increment.orderedBits)
        case .objectID(let text): append(text.lowercased())
        case .regex(let pattern, let options):
            append(pattern)
            append(options)
        }
    }

    private mutating func append(_ number: Decimal128) {
        switch number {
        case .finite(let decimal): append(decimal)
        case .infinity(let isNegative): append(isNegative ? -Double.infinity : .infinity)
        case .notANumber: break
        }
    }

    /// Appends the greatest double not above the number and the distance from it, like an integer's.
    private mutating func append(_ number: ExactDecimal) {
        var floor = min(number.nearestDouble, .greatestFiniteMagnitude)
        if floor.isFinite, (number - ExactDecimal(floor)).isNegative {
            floor = floor.nextDown
        }
        appendBigEndian(floor.orderedBits)
        append(distance: number - (floor.isFinite ? ExactDecimal(floor) : Self.belowAllDecimals))
    }

    /// Takes the place of minus infinity, from which there is no distance.
    private static let belowAllDecimals = ExactDecimal(isNegative: true, digits: [1], exponent: 7_000)
}
