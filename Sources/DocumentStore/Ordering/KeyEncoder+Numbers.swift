// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension KeyEncoder {
    /// Appends a number; one that is no double follows the double below it by its distance.
    ///
    /// So integers beyond 2^53 keep their exact place between doubles. Doubles lie at most 1,024 apart there:
    /// one byte tells that there is no distance, two bytes give it.
    mutating func append(_ number: Int64) {
        let floor = number.doubleBelow
        appendBigEndian(floor.orderedBits)
        // `floor` is at most `number`, hence within the range of Int64.
        let distance = number - Int64(floor)
        guard distance > 0 else { return append(byte: 0) }
        append(byte: UInt8(1 + distance >> 8))
        append(byte: UInt8(distance & 0xFF))
    }

    mutating func append(_ number: Double) {
        guard !number.isNaN else { return }
        appendBigEndian(number.orderedBits)
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
