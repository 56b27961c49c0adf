// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The ids of the messages of one request: random UUIDs, which stay the same however often a message is made.
struct MessageIDs: Sendable {
    private let high: UInt64
    private let low: UInt64

    init(_ generator: inout some RandomNumberGenerator) { (high, low) = (generator.next(), generator.next()) }

    subscript(number: Int) -> String {
        // The version (4, random) and the variant of RFC 9562.
        let first = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let second = (low &+ UInt64(number)) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let (left, right) = (first.hexadecimal, second.hexadecimal)
        return """
            \(left.prefix(8))-\(left.dropFirst(8).prefix(4))-\(left.suffix(4))-\(right.prefix(4))-\(right.dropFirst(4))
            """
    }
}

extension UInt64 {
    fileprivate var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
