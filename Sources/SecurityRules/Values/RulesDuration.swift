// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A span of time: seconds, and nanoseconds of the same sign.
package struct RulesDuration: Sendable, Hashable {
    /// 10,000 years, the range of `google.protobuf.Duration`.
    static let secondsMax: Int64 = 315_576_000_000

    let seconds: Int64
    let nanoseconds: Int32

    /// `nil` beyond 10,000 years.
    init?(totalNanoseconds: Int128) {
        let (seconds, nanoseconds) = totalNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard seconds.magnitude <= UInt128(Self.secondsMax) else { return nil }
        self.seconds = Int64(seconds)
        self.nanoseconds = Int32(nanoseconds)
    }

    var totalNanoseconds: Int128 { Int128(seconds) * 1_000_000_000 + Int128(nanoseconds) }
}
