// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Loads images through the caches, and each image only once at a time.
///
///     memory ──▶ disk ──▶ join a load in flight ──▶ network
///        ▲         │                                   │
///        └─────────┴───────────────────────────────────┘ stored to disk, stored to memory, delivered
///
/// A batch is planned in its order and without suspending: each image takes the next ticket and is looked up, joined
/// or queued. The caches rank by ticket and not by arrival, so for batches that do not overlap, hits, misses and
/// evictions never depend on which response comes first. Failures are not cached.
public actor ImagePipeline {
    /// The images loaded from the network at a time, unless configured otherwise.
    public static let concurrentLoadCountMaxDefault = 6

    let storage: URL
    let transport: any HTTPTransport
    let configuration: Configuration
    var memory: MemoryCache?
    var disk: DiskCache?
    var loads = LoadTable()
    var batches: [Int: Batch] = [:]
    private var lastTicket: UInt64
    private var lastBatchID = 0
    /// How the images asked for so far were answered.
    public internal(set) var statistics = PipelineStatistics()

    /// Creates a pipeline; reads the directory of the disk cache, if there is one.
    ///
    /// `storage` is the address of Cloud Storage for Firebase without a path.
    public init(
        storage: URL,
        transport: any HTTPTransport,
        configuration: Configuration = Configuration()
    ) throws(FeedError) {
        self.storage = storage
        self.transport = transport
        self.configuration = configuration
        memory = configuration.memoryByteCountMax.map { MemoryCache(byteCountMax: $0) }
        var ticketMax: UInt64 = 0
        if let disk = configuration.disk {
            let cache = try DiskCache(directory: disk.directory, byteCountMax: disk.byteCountMax)
            ticketMax = cache.ticketMaxOnOpen
            self.disk = cache
        }
        lastTicket = ticketMax
    }

    /// Loads one image.
    ///
    /// Throws ``FeedError``, or `CancellationError` when the task is cancelled.
    public func image(for reference: ImageReference) async throws -> Data {
        for await delivery in images(for: [reference]) { return try delivery.result.get() }
        throw CancellationError()
    }

    /// Loads a batch of images and delivers each as it comes.
    ///
    /// The stream ends after one delivery for each reference. Whoever stops listening, or is cancelled, abandons the
    /// rest: loads that nobody else waits for are cancelled.
    public func images(for references: [ImageReference]) -> AsyncStream<ImageDelivery> {
        let (stream, continuation) = AsyncStream.makeStream(of: ImageDelivery.self)
        guard !references.isEmpty else {
            continuation.finish()
            return stream
        }
        lastBatchID += 1
        let batchID = lastBatchID
        batches[batchID] = Batch(continuation: continuation, awaitedCount: references.count)
        for (index, reference) in references.enumerated() {
            plan(reference, for: Waiter(batchID: batchID, index: index))
        }
        continuation.onTermination = { [weak self] termination in
            guard case .cancelled = termination, let self else { return }
            Task { await self.abandon(batchID) }
        }
        startLoads()
        return stream
    }

    /// Forgets the images in memory, as a relaunch of the app does; those on disk stay.
    public func removeMemory() { memory?.removeAll(upTo: lastTicket) }

    /// The keys in the memory cache, the least recently asked for first.
    package var memoryKeysFromOldest: [String] { memory?.keysFromOldest ?? [] }

    /// The keys in the disk cache, the least recently asked for first.
    package var diskKeysFromOldest: [String] { disk?.keysFromOldest ?? [] }

    func takeTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }
}
