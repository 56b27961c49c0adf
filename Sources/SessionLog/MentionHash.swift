// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Hashes texts of documents for a session log: equal texts of a recording have equal hashes, and none can be read there.
///
/// SipHash-2-4 (Aumasson and Bernstein, 2012) with a key of the recording. The key is in the log: who has the log can try
/// texts, so it hides contents from readers, not from an attacker.
package struct MentionHash: Sendable, Hashable {
    /// The key, as the log has it.
    package let key: String
    private let (low, high): (UInt64, UInt64)

    /// Makes a key at random.
    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(generator.next(), generator.next())
    }

    /// Takes the key of a log; `nil` where the text is none.
    package init?(key: String) {
        let parts = key.split(separator: "-").compactMap { UInt64($0, radix: 36) }
        guard parts.count == 2 else { return nil }
        self.init(parts[0], parts[1])
    }

    private init(_ low: UInt64, _ high: UInt64) {
        (self.low, self.high) = (low, high)
        key = "\(String(low, radix: 36))-\(String(high, radix: 36))"
    }

    /// The hash of a text as the log has it.
    package func text(of text: some StringProtocol) -> String { String(hash(text.utf8), radix: 36) }

    /// The hash of bytes as the log has it.
    package func text(of bytes: [UInt8]) -> String { String(hash(bytes), radix: 36) }

    /// The hash of bytes.
    package func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var state = SipState(low, high)
        var word: UInt64 = 0
        var count: UInt64 = 0
        for byte in bytes {
            word |= UInt64(byte) << (8 * (count & 7))
            count += 1
            guard count & 7 == 0 else { continue }
            state.absorb(word)
            word = 0
        }
        state.absorb(word | count << 56)
        return state.finished()
    }
}

/// The state of SipHash-2-4.
private struct SipState {
    private var (v0, v1, v2, v3): (UInt64, UInt64, UInt64, UInt64)

    init(_ low: UInt64, _ high: UInt64) {
        v0 = low ^ 0x736F_6D65_7073_6575
        v1 = high ^ 0x646F_7261_6E64_6F6D
        v2 = low ^ 0x6C79_6765_6E65_7261
        v3 = high ^ 0x7465_6462_7974_6573
    }

    mutating func absorb(_ word: UInt64) {
        v3 ^= word
        mix()
        mix()
        v0 ^= word
    }

    mutating func finished() -> UInt64 {
        v2 ^= 0xFF
        for _ in 0..<4 { mix() }
        return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func mix() {
        v0 &+= v1
        v1 = rotated(v1, by: 13) ^ v0
        v0 = rotated(v0, by: 32)
        v2 &+= v3
        v3 = rotated(v3, by: 16) ^ v2
        v0 &+= v3
        v3 = rotated(v3, by: 21) ^ v0
        v2 &+= v1
        v1 = rotated(v1, by: 17) ^ v2
        v2 = rotated(v2, by: 32)
    }

    private func rotated(_ word: UInt64, by bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }
}
