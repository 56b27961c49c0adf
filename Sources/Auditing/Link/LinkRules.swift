// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The overhead of a connection before and between bytes, apart from the network's own figures.
package struct LinkRules: Sendable, Hashable {
    /// Round trips until a host's name is known (Lighthouse's Lantern, mid-2024).
    package var nameRoundTrips: Int64 = 2
    /// Round trips until a TCP connection is there.
    var connectRoundTrips: Int64 = 1
    /// Round trips until TLS 1.3 is (RFC 8446).
    package var secureRoundTrips: Int64 = 1
    /// Nanoseconds until the server begins to answer (Lantern, mid-2024: 30 ms).
    package var serverTime: Int64 = 30_000_000
    /// Bytes of a connection's first window: ten packets (RFC 6928).
    package var firstWindowByteCount: Int64 = 10 * 1_460
    /// Connections to one host over HTTP/1.1, as browsers and URLSession have them.
    package var connectionCountMax = 6
    /// After this many nanoseconds without a byte a connection begins slowly again (RFC 5681, 4.1: after a retransmission
    /// timeout, which RFC 6298 has at one second or more).
    var slowAfter: Int64 = 1_000_000_000
    /// After this many nanoseconds without a byte a connection is closed; our assumption, servers differ.
    var closedAfter: Int64 = 60_000_000_000
    /// Nanoseconds of a read from disk, and more for each MiB (Lantern, mid-2024).
    var diskTime: Int64 = 8_000_000
    /// See ``diskTime``.
    var diskTimePerMebibyte: Int64 = 20_000_000

    /// Creates the rules of an app on the internet.
    package init() {}

    /// How long a read from disk takes.
    func diskTime(of byteCount: Int) -> Int64 { diskTime + Int64(byteCount) * diskTimePerMebibyte >> 20 }
}
