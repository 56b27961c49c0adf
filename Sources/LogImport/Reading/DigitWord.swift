// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads decimal numbers eight digits at a time.
enum DigitWord {
    /// The number that a field of up to 18 digits is; `nil` for an empty one, and for anything else.
    static func number(in bytes: UnsafeRawBufferPointer, at field: Range<Int>) -> Int64? {
        guard (1...18).contains(field.count) else { return nil }
        guard field.upperBound >= 8 else { return slowly(bytes, at: field) }
        var (number, scale, end): (UInt64, UInt64, Int) = (0, 1, field.upperBound)
        while end > field.lowerBound {
            let count = min(8, end - field.lowerBound)
            guard end >= 8, let part = eight(bytes, endingAt: end, count: count) else {
                return slowly(bytes, at: field)
            }
            number &+= part &* scale
            scale &*= 100_000_000
            end -= count
        }
        return Int64(number)
    }

    /// The last eight bytes before a place as digits, of which the first that do not belong to the number count as zeros.
    ///
    /// Pairs, fours and eights of digits are put together by multiplication (D. Lemire, "Quickly parsing eight digits", 2018).
    private static func eight(_ bytes: UnsafeRawBufferPointer, endingAt end: Int, count: Int) -> UInt64? {
        let foreign = UInt64(8 * (8 - count))
        var word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self))
        word = (word >> foreign) << foreign | (0x3030_3030_3030_3030 & ((1 << foreign) &- 1))
        let isDigits =
            word & 0xF0F0_F0F0_F0F0_F0F0 == 0x3030_3030_3030_3030
            && (word &+ 0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0 == 0x3030_3030_3030_3030
        guard isDigits else { return nil }
        word = ((word & 0x0F0F_0F0F_0F0F_0F0F) &* 2_561) >> 8
        word = ((word & 0x00FF_00FF_00FF_00FF) &* 6_553_601) >> 16
        return ((word & 0x0000_FFFF_0000_FFFF) &* 42_949_672_960_001) >> 32
    }

    private static func slowly(_ bytes: UnsafeRawBufferPointer, at field: Range<Int>) -> Int64? {
        var number: Int64 = 0
        for index in field {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int64(digit)
        }
        return number
    }
}
