// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// The client-side counts of a replay, over all clients of the log.
package struct ClientCounts: Sendable, Hashable, Codable {
    /// Requests sent.
    package var requests: Int64 = 0
    /// Body bytes received.
    package var bodyBytes: Int64 = 0
    /// Images found in a cache.
    package var cacheHits: Int64 = 0
    /// Images loaded from the network.
    package var cacheMisses: Int64 = 0
    /// Bytes of the images found in a cache.
    package var cacheHitBytes: Int64 = 0
    /// Bytes of the images loaded from the network.
    package var cacheMissBytes: Int64 = 0

    /// Creates a count of nothing.
    package init() {}

    mutating func add(_ other: ClientCounts) {
        requests += other.requests
        bodyBytes += other.bodyBytes
        cacheHits += other.cacheHits
        cacheMisses += other.cacheMisses
        cacheHitBytes += other.cacheHitBytes
        cacheMissBytes += other.cacheMissBytes
    }

    mutating func add(_ transport: CountingTransport.Counts) {
        requests += Int64(transport.requests)
        bodyBytes += Int64(transport.responseBodyBytes)
    }

    mutating func add(_ pipeline: PipelineStatistics) {
        cacheHits += Int64(pipeline.memoryHits + pipeline.diskHits + pipeline.revalidated)
        cacheMisses += Int64(pipeline.networkLoads)
        cacheHitBytes += Int64(
            pipeline.memoryByteCount + pipeline.diskByteCount + pipeline.revalidatedByteCount
        )
        cacheMissBytes += Int64(pipeline.networkByteCount)
    }
}
