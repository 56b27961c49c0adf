// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A number of IEEE 754's decimal128: 34 decimal digits and a power of ten, or one of three special values.
enum Decimal128: Equatable, Sendable {
    case finite(ExactDecimal)
    case infinity(isNegative: Bool)
    case notANumber

    /// The most digits, and the range of the exponents of the last of them.
    static let digitCountMax = 34
    static let exponents = -6_176...6_111

    /// Parses `-12.5E+3`, `Infinity`, `inf` or `NaN`, in any case; `nil` for other texts, and for numbers that would be rounded.
    package init?(parsing text: String) {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let hasSign = isNegative || text.utf8.first == UInt8(ascii: "+")
        let unsigned = text.dropFirst(hasSign ? 1 : 0).lowercased()
        switch unsigned {
        case "inf", "infinity": self = .infinity(isNegative: isNegative)
        case "nan": self = .notANumber
        default:
            guard let number = ExactDecimal(parsing: unsigned, isNegative: isNegative),
                number.isZero || Self.canHold(number)
            else { return nil }
            self = .finite(number)
        }
    }

    private static func canHold(_ number: ExactDecimal) -> Bool {
        guard number.digits.count <= digitCountMax, number.exponent >= exponents.lowerBound else { return false }
        // A larger exponent is fine as long as zeros can take its place.
        return number.exponent - exponents.upperBound <= digitCountMax - number.digits.count
    }

    /// How production spells a special value; `nil` for a finite number.
    var specialName: String? {
        switch self {
        case .finite: nil
        case .infinity(let isNegative): isNegative ? "-Infinity" : "Infinity"
        case .notANumber: "NaN"
        }
    }
}
