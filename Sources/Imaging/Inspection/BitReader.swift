// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads numbers of any count of bits, the highest first; `nil` beyond the end.
struct BitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func number(bitCount: Int) -> Int? {
        guard position + bitCount <= bytes.count * 8 else { return nil }
        var number = 0
        for bit in position..<position + bitCount { number = number << 1 | Int(bytes[bit / 8] >> (7 - bit % 8) & 1) }
        position += bitCount
        return number
    }

    mutating func flag() -> Bool? { number(bitCount: 1).map { $0 == 1 } }

    mutating func skip(bitCount: Int) { position += bitCount }

    /// A number in an Exp-Golomb code (ITU-T H.265, section 9.2), in AV1 `uvlc`.
    mutating func exponentialGolomb() -> Int? {
        var zeroCount = 0
        while let bit = number(bitCount: 1), bit == 0, zeroCount < 32 { zeroCount += 1 }
        return number(bitCount: zeroCount).map { (1 << zeroCount) - 1 + $0 }
    }
}
