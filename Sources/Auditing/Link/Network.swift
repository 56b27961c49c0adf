// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A network between an app and its servers: how many bytes pass, and how long one takes.
package struct Network: Sendable, Hashable, Codable {
    /// The name, as `--network` takes it.
    package let name: String
    /// The name for people.
    package let title: String
    /// Bits per second towards the app.
    package let downBitsPerSecond: Int64
    /// Nanoseconds from a request to the first byte of an answer that takes no time to make.
    package let roundTrip: Int64
    /// Packets that are lost, of a million.
    package let lossPerMillion: Int64
    /// Where the figures are from, and of which day.
    package let source: String

    /// Creates a network.
    package init(
        name: String,
        title: String = "",
        downBitsPerSecond: Int64,
        roundTrip: Int64,
        lossPerMillion: Int64 = 0,
        source: String = ""
    ) {
        precondition(downBitsPerSecond > 0 && roundTrip >= 0, "a network without bits never ends")
        self.name = name
        self.title = title
        self.downBitsPerSecond = downBitsPerSecond
        self.roundTrip = roundTrip
        self.lossPerMillion = lossPerMillion
        self.source = source
    }
}

/// Bits per second that several connections share, reckoned in integers of any size: two runs never differ.
struct LinkRate: Sendable, Comparable {
    private static let bitNanosecondsPerByteSecond: UInt64 = 8_000_000_000

    let bitsPerSecond: Int64
    let sharedBy: Int64

    /// The nanoseconds in which a number of bytes have come, rounded up.
    func time(for byteCount: Int64) -> Int64 {
        let (work, overflows) = Self.bitNanosecondsPerByteSecond.multipliedReportingOverflow(by: UInt64(sharedBy))
        precondition(!overflows, "more connections than there are ports")
        let product = UInt64(byteCount).multipliedFullWidth(by: work)
        let (quotient, remainder) = UInt64(bitsPerSecond).dividingFullWidth(product)
        return Int64(quotient) + (remainder > 0 ? 1 : 0)
    }

    /// The whole bytes that have come in a number of nanoseconds.
    func byteCount(in nanoseconds: Int64) -> Int64 {
        let work = Self.bitNanosecondsPerByteSecond * UInt64(sharedBy)
        let product = UInt64(nanoseconds).multipliedFullWidth(by: UInt64(bitsPerSecond))
        return Int64(work.dividingFullWidth(product).quotient)
    }

    static func < (left: Self, right: Self) -> Bool {
        let (a, b) = (
            UInt64(left.bitsPerSecond).multipliedFullWidth(by: UInt64(right.sharedBy)),
            UInt64(right.bitsPerSecond).multipliedFullWidth(by: UInt64(left.sharedBy))
        )
        return (a.high, a.low) < (b.high, b.low)
    }
}
