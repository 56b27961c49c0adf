// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Testing

@testable import Auditing

/// Six images over 1.6 Mbit/s with 150 ms of round trip, computed by hand: names take 300 ms, TCP and TLS 150 each, a request
/// 150 and the server 30, so that the first byte comes after 780 ms on a cold connection and after 180 on a warm one.
@Suite struct HostLinkTests {
    private static let network = Network(name: "n", downBitsPerSecond: 1_600_000, roundTrip: 150_000_000)
    private static let limits = HostQueue.Limits(countMax: 6, byteCountMax: .max, countMin: 6)

    enum Start: Sendable {
        case cold
        /// A moment after enough was loaded that the windows are as wide as the link.
        case warm
        /// Warm, but slow again after some idle seconds.
        case rested
    }

    /// When each image has come, in whole milliseconds after the first was asked for.
    private func ends(
        _ count: Int = 6,
        byteCount: Int64,
        _ version: Strategy.HTTPVersion,
        _ start: Start,
        network: Network = network,
        limits: HostQueue.Limits = limits
    ) -> [Int64] {
        var link = HostLink(network, rules: LinkRules(), version: version)
        var begin: Int64 = 0
        if start != .cold {
            let large = (0..<6).map { _ in HostLink.Load(byteCount: 10_000_000) }
            let end = link.ends(of: large, startingAt: 0, limits: limits).max() ?? 0
            begin = end + (start == .warm ? 1_000_000 : 5_000_000_000)
        }
        let loads = (0..<count).map { _ in HostLink.Load(byteCount: byteCount) }
        return link.ends(of: loads, startingAt: begin, limits: limits).map { ($0 - begin + 500_000) / 1_000_000 }
    }

    @Test(arguments: [
        (40_000, Strategy.HTTPVersion.http1, Start.cold, [1980, 1980, 1980, 1980, 1980, 1980]),
        (40_000, .http1, .warm, [1380, 1380, 1380, 1380, 1380, 1380]),
        (40_000, .http2, .cold, [1057, 1261, 1461, 1661, 1861, 2061]),
        (40_000, .http2, .warm, [380, 580, 780, 980, 1180, 1380]),
        (40_000, .http2, .rested, [457, 661, 861, 1061, 1261, 1461]),
        (12_000, .http1, .cold, [1140, 1140, 1140, 1140, 1140, 1140]),
        (12_000, .http2, .cold, [840, 977, 1037, 1101, 1161, 1221]),
        (12_000, .http2, .warm, [240, 300, 360, 420, 480, 540]),
        (350_000, .http1, .cold, [11_280, 11_280, 11_280, 11_280, 11_280, 11_280]),
        (350_000, .http2, .cold, [2611, 4361, 6111, 7861, 9611, 11_361]),
        (350_000, .http2, .warm, [1930, 3680, 5430, 7180, 8930, 10_680]),
    ])
    func `six images come when they were reckoned to`(
        byteCount: Int,
        version: Strategy.HTTPVersion,
        start: Start,
        expected: [Int]
    ) {
        #expect(ends(byteCount: Int64(byteCount), version, start) == expected.map(Int64.init))
    }

    @Test func `an answer without a body takes a round trip and the server`() {
        #expect(ends(1, byteCount: 1, .http1, .warm) == [180])
        #expect(ends(1, byteCount: 1, .http1, .cold) == [780])
    }

    @Test func `one at a time pays the round trip each time`() {
        let one = HostQueue.Limits(countMax: 1, byteCountMax: .max, countMin: 1)
        // Warm windows: 180 ms to the first byte and 200 ms for the bytes.
        #expect(ends(3, byteCount: 40_000, .http1, .warm, limits: one) == [380, 760, 1140])
        #expect(ends(3, byteCount: 40_000, .http2, .warm, limits: one) == [380, 760, 1140])
    }

    @Test func `more loads than connections wait for one`() {
        let twelve = HostQueue.Limits(countMax: 12, byteCountMax: .max, countMin: 12)
        let ends = ends(12, byteCount: 40_000, .http1, .warm, limits: twelve)
        #expect(ends[..<6].allSatisfy { $0 == 1380 })
        #expect(ends[6...].allSatisfy { $0 == 1380 + 180 + 1200 })
    }

    @Test func `loss caps each connection`() {
        let lossy = Network(
            name: "n",
            downBitsPerSecond: 1_000_000_000,
            roundTrip: 150_000_000,
            lossPerMillion: 10_000
        )
        // 1,460 bytes * 1.22 / 0.1 for each round trip: 118,747 bytes a second, whatever the link.
        #expect(ends(1, byteCount: 1_187_470, .http1, .warm, network: lossy) == [180 + 10_000])
        #expect(ends(6, byteCount: 1_187_470, .http1, .warm, network: lossy).allSatisfy { $0 == 180 + 10_000 })
    }

    @Test func `the more important image comes first over HTTP/2`() {
        var link = HostLink(Self.network, rules: LinkRules(), version: .http2)
        let loads = [
            HostLink.Load(byteCount: 40_000, priority: .low), HostLink.Load(byteCount: 40_000, priority: .high),
        ]
        let ends = link.ends(of: loads, startingAt: 0, limits: Self.limits)
        #expect(ends[1] < ends[0])
        #expect(ends[1] / 1_000_000 == 1_057)
    }

    @Test func `a connection that has been idle for long is opened anew, under a name that is known`() {
        var link = HostLink(Self.network, rules: LinkRules(), version: .http1)
        let load = [HostLink.Load(byteCount: 1)]
        let first = link.ends(of: load, startingAt: 0, limits: Self.limits)[0]
        let second = link.ends(of: load, startingAt: first + 61_000_000_000, limits: Self.limits)[0]
        #expect((second - first) / 1_000_000 == 61_000 + 480)
    }

    @Test func `bytes and times are exact for any size`() {
        let rate = LinkRate(bitsPerSecond: 9_000_000, sharedBy: 7)
        for byteCount in [1, 1_460, 40_000, 1 << 31, 1 << 40] as [Int64] {
            let time = rate.time(for: byteCount)
            #expect(rate.byteCount(in: time) >= byteCount)
            #expect(rate.byteCount(in: time - 1) < byteCount)
        }
    }
}
