// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A decimal number of any length, without rounding: digits times a power of ten.
struct ExactDecimal: Equatable, Sendable {
    private(set) var isNegative: Bool
    /// Most significant first; neither the first nor the last is 0, and zero has none.
    private(set) var digits: [UInt8]
    /// The power of ten of the last digit.
    private(set) var exponent: Int

    package init(isNegative: Bool, digits: some Sequence<UInt8>, exponent: Int) {
        self.digits = Array(digits.drop { $0 == 0 })
        self.exponent = exponent
        while self.digits.last == 0 {
            self.digits.removeLast()
            self.exponent += 1
        }
        self.isNegative = isNegative && !self.digits.isEmpty
        if self.digits.isEmpty { self.exponent = 0 }
    }

    /// Parses `12.5e-3` without a sign; `nil` for anything else.
    package init?(parsing text: String, isNegative: Bool) {
        let parts = text.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
        let mantissa = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = mantissa.count > 1 ? mantissa[1] : ""
        let digits = (mantissa[0] + fraction).utf8.map { $0 &- UInt8(ascii: "0") }
        guard !digits.isEmpty, digits.allSatisfy({ $0 <= 9 }) else { return nil }
        guard let power = parts.count > 1 ? Int(parts[1]) : 0, abs(power) < 1_000_000 else { return nil }
        self.init(isNegative: isNegative, digits: digits, exponent: power - fraction.utf8.count)
    }

    /// The exact value of a finite double.
    package init(_ number: Double) {
        precondition(number.isFinite, "\(number) has no digits")
        // Normal numbers have a bit that is not written; the others share the least exponent.
        let isNormal = number.exponentBitPattern > 0
        var digits = Self.digits(of: number.significandBitPattern | (isNormal ? 1 << 52 : 0))
        let power = max(Int(number.exponentBitPattern), 1) - 1_075
        // A half is five tenths.
        let factor: UInt64 = power < 0 ? 5 : 2
        for _ in 0..<abs(power) / Self.stepCount {
            digits = Self.multiply(digits, by: Self.power(of: factor, count: Self.stepCount))
        }
        digits = Self.multiply(digits, by: Self.power(of: factor, count: abs(power) % Self.stepCount))
        self.init(isNegative: number < 0, digits: digits, exponent: min(power, 0))
    }

    var isZero: Bool { digits.isEmpty }

    /// Where the point is: the number is `0.digits` times ten to this power.
    var magnitude: Int { digits.count + exponent }

    /// The nearest double; infinite beyond the largest.
    var nearestDouble: Double {
        let text = digits.isEmpty ? "0" : String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
        let magnitude = Double("\(text)e\(exponent)") ?? (self.magnitude > 0 ? .infinity : 0)
        return isNegative ? -magnitude : magnitude
    }

    /// How many factors to multiply by at once: 5 to the 13th stays below 2 to the 32nd.
    private static let stepCount = 13

    private static func power(of factor: UInt64, count: Int) -> UInt64 {
        (0..<count).reduce(1) { power, _ in power * factor }
    }

    private static func digits(of number: UInt64) -> [UInt8] {
        String(number).utf8.map { $0 - UInt8(ascii: "0") }
    }

    private static func multiply(_ digits: [UInt8], by factor: UInt64) -> [UInt8] {
        var product: [UInt8] = []
        var carry: UInt64 = 0
        for digit in digits.reversed() {
            carry += UInt64(digit) * factor
            product.append(UInt8(carry % 10))
            carry /= 10
        }
        while carry > 0 {
            product.append(UInt8(carry % 10))
            carry /= 10
        }
        return product.reversed()
    }
}

extension ExactDecimal {
    package static func - (lhs: ExactDecimal, rhs: ExactDecimal) -> ExactDecimal {
        lhs + ExactDecimal(isNegative: !rhs.isNegative, digits: rhs.digits, exponent: rhs.exponent)
    }

    package static func + (lhs: ExactDecimal, rhs: ExactDecimal) -> ExactDecimal {
        let exponent = min(lhs.exponent, rhs.exponent)
        let count = max(lhs.magnitude, rhs.magnitude) - exponent
        let (left, right) = (lhs.padded(to: count, exponent: exponent), rhs.padded(to: count, exponent: exponent))
        guard lhs.isNegative != rhs.isNegative else {
            return ExactDecimal(isNegative: lhs.isNegative, digits: sum(left, right), exponent: exponent)
        }
        return right.lexicographicallyPrecedes(left)
            ? ExactDecimal(isNegative: lhs.isNegative, digits: difference(left, right), exponent: exponent)
            : ExactDecimal(isNegative: rhs.isNegative, digits: difference(right, left), exponent: exponent)
    }

    /// The digits with zeros before and after them.
    private func padded(to count: Int, exponent: Int) -> [UInt8] {
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
