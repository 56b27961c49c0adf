// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension ExactDecimal {
    static func - (lhs: ExactDecimal, rhs: ExactDecimal) -> ExactDecimal {
        lhs + ExactDecimal(isNegative: !rhs.isNegative, digits: rhs.digits, exponent: rhs.exponent)
    }

    static func + (lhs: ExactDecimal, rhs: ExactDecimal) -> ExactDecimal {
        let exponent = min(lhs.exponent, rhs.exponent)
        let count = max(lhs.magnitude, rhs.magnitude) - exponent
        let (left, right) = (lhs.padded(to: count, exponent), rhs.padded(to: count, exponent))
        guard lhs.isNegative != rhs.isNegative else {
            return ExactDecimal(isNegative: lhs.isNegative, digits: sum(left, right), exponent: exponent)
        }
        return right.lexicographicallyPrecedes(left)
            ? ExactDecimal(isNegative: lhs.isNegative, digits: difference(left, right), exponent: exponent)
            : ExactDecimal(isNegative: rhs.isNegative, digits: difference(right, left), exponent: exponent)
    }

    /// The digits with zeros before and after them.
    private func padded(to count: Int, _ exponent: Int) -> [UInt8] {
        let after = isZero ? 0 : self.exponent - exponent
        let before = count - digits.count - after
        return Array(repeating: 0, count: before) + digits + Array(repeating: 0, count: after)
    }

    private static func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var sum = [0] + left
        for index in right.indices.reversed() {
            let digit = sum[index + 1] + right[index]
            sum[index + 1] = digit % 10
            var carried = index
            // A carry runs on through nines.
            if digit > 9 {
                while sum[carried] == 9 {
                    sum[carried] = 0
                    carried -= 1
                }
                sum[carried] += 1
            }
        }
        return sum
    }

    /// The left digits must not be less than the right ones.
    private static func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var difference = left
        var borrow: UInt8 = 0
        for index in left.indices.reversed() {
            let subtrahend = right[index] + borrow
            borrow = difference[index] < subtrahend ? 1 : 0
            difference[index] = difference[index] + borrow * 10 - subtrahend
        }
        return difference
    }
}
