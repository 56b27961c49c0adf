// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The answers of a cache to a trace.
package struct CacheTally: Sendable, Hashable, Codable {
    /// The requests.
    package var requestCount: Int64 = 0
    /// The requests that the cache answered.
    package var hitCount: Int64 = 0
    /// The bytes asked for.
    package var byteCount: Int64 = 0
    /// The bytes that the cache answered.
    package var hitByteCount: Int64 = 0

    /// Creates a tally of nothing.
    package init() {}

    /// The bytes that the cache did not answer.
    package var missByteCount: Int64 { byteCount - hitByteCount }

    /// Requests that the cache did not answer, as a share of all; 0 when there were none.
    package var missRatio: Double { Self.missShare(hitCount, of: requestCount) }

    /// Bytes that the cache did not answer, as a share of all; 0 when there were none.
    package var byteMissRatio: Double { Self.missShare(hitByteCount, of: byteCount) }

    /// Adds what another cache answered.
    package mutating func add(_ other: Self) {
        requestCount += other.requestCount
        hitCount += other.hitCount
        byteCount += other.byteCount
        hitByteCount += other.hitByteCount
    }

    private static func missShare(_ hits: Int64, of all: Int64) -> Double {
        all == 0 ? 0 : Double(all - hits) / Double(all)
    }
}
