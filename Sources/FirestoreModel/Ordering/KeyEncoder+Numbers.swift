// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension KeyEncoder {
    /// Appends a number; one that is not a double follows the double below it by its distance.
    ///
    /// So integers beyond 2^53 and decimal numbers keep their exact place between doubles.
    package mutating func append(_ number: Int64) {
        let floor = number.doubleBelow
        appendBigEndian(floor.orderedBits)
        // `floor` is at most `number`, hence within the range of Int64.
        let distance = number - Int64(floor)
        guard distance > 0 else { return append(byte: 0) }
        let digits = String(distance).utf8.map { $0 - UInt8(ascii: "0") }
        append(distance: ExactDecimal(isNegative: false, digits: digits, exponent: 0))
    }

    package mutating func append(_ number: Double) {
        guard !number.isNaN else { return }
        appendBigEndian(number.orderedBits)
        append(byte: 0)
    }

    /// Appends a number that is not negative: 0 alone, or 1, the power of ten, pairs of digits and a 0.
    mutating func append(distance: ExactDecimal) {
        precondition(!distance.isNegative, "a distance is not negative")
        guard !distance.isZero else { return append(byte: 0) }
        append(byte: 1)
        let power = UInt16(clamping: distance.magnitude + 1 << 15)
        append(byte: UInt8(power >> 8))
        append(byte: UInt8(power & 0xFF))
        for index in stride(from: 0, to: distance.digits.count, by: 2) {
            let last = index + 1 < distance.digits.count ? distance.digits[index + 1] : 0
            append(byte: 1 + distance.digits[index] * 10 + last)
        }
        append(byte: 0)
    }
}

extension Int64 {
    /// The largest double not above this number.
    fileprivate var doubleBelow: Double {
        let nearest = Double(self)
        guard let rounded = Int64(exactly: nearest), rounded <= self else { return nearest.nextDown }
        return nearest
    }

    /// Bits that sort like the numbers when compared unsigned.
    var orderedBits: UInt64 { UInt64(bitPattern: self) ^ (1 << 63) }
}

extension Double {
    /// Bits that sort like the numbers when compared unsigned; both zeros have the same, NaN has the least.
    var orderedBits: UInt64 {
        guard !isNaN else { return 0 }
        let bits = (self == 0 ? 0.0 : self).bitPattern
        return bits >> 63 == 0 ? bits | (1 << 63) : ~bits
    }
}
