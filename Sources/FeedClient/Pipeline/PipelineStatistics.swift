// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How the images asked for were answered; every request ends in exactly one of these counts.
public struct PipelineStatistics: Sendable, Hashable {
    /// Images found in memory.
    public var memoryHits = 0
    /// Images found on disk.
    public var diskHits = 0
    /// Images loaded from the network.
    public var networkLoads = 0
    /// Images that another request was loading already.
    public var joined = 0
    /// Images found in a cache, after their server said that it has no other.
    public var revalidated = 0
    /// Images in no cache that a ``DataGuard`` forbade to load.
    public var withheld = 0
    /// Images that could not be loaded.
    public var failures = 0
    /// Images no longer wanted before they came.
    public var cancelled = 0
    /// Bytes of the images found in memory.
    public var memoryByteCount = 0
    /// Bytes of the images found on disk.
    public var diskByteCount = 0
    /// Bytes of the images loaded from the network.
    public var networkByteCount = 0
    /// Bytes of the images that their server confirmed.
    public var revalidatedByteCount = 0
    /// Bytes that joining did not load again.
    public var joinedByteCount = 0
    /// Images that were loaded but could not be written to disk.
    public var diskWriteFailures = 0

    /// Creates a count of nothing.
    public init() {}

    /// The requests that have ended.
    public var requests: Int {
        memoryHits + diskHits + revalidated + networkLoads + joined + withheld + failures + cancelled
    }
}
