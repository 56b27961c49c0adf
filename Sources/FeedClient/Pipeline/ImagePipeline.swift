// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Loads images through the caches, and each image only once at a time.
///
///     memory ──▶ load in flight ──▶ disk ──▶ guard ──▶ queue of the host ──▶ network
///        ▲              │            │                                         │ Range, If-None-Match, retries, CRC-32C
///        └──────────────┴────────────┴─────────────────────────────────────────┘ delivered at once; stored when the
///                                                                                turn comes (see AccessSequence)
///
/// A batch is planned in its order and without suspending, and the caches learn of what was asked for in that order: for
/// batches that do not overlap, hits, misses and evictions never depend on which response comes first. A load that
/// is no longer awaited is cancelled; its received part is kept, and resumed when it is requested again.
/// Failures are not cached.
public actor ImagePipeline {
    /// The most images loaded from one host at a time, unless configured otherwise.
    public static let concurrentLoadCountMaxDefault = 6
    /// The large images loaded from one host at a time whatever their size.
    package static let concurrentLoadCountMin = 3
    /// The most bytes of large images loaded from one host at a time by more than three loads, unless configured otherwise:
    /// what a link of 70 Mbit/s holds in 60 ms.
    public static let concurrentLoadByteCountMaxDefault = 512 << 10
    /// The most bytes of images that wait for their turn to enter the caches, on a phone.
    package static let arrivedByteCountMax = 32 << 20
    /// The most files that are open while they wait to be read; others are opened when their turn comes.
    static let openFileCountMax = 64

    let storage: URL
    let transport: any HTTPTransport
    let credentials: CredentialStore?
    let configuration: Configuration
    let environment: PipelineEnvironment
    let partials: PartialStore
    var memory: MemoryPools?
    var disk: DiskCache?
    var loads: LoadTable
    var keys = CacheKeys<String>()
    let decisions: ImageDecisions
    var sequence = AccessSequence()
    var arrivedByteCount = 0
    var readingCount = 0
    var batches: [Int: Batch] = [:]
    private var lastBatchID = 0
    /// How the images asked for so far were answered.
    public internal(set) var statistics = PipelineStatistics()
    /// The purpose of the received bytes.
    public nonisolated let ledger: ByteLedger

    /// Creates a pipeline; reads the directory of the disk cache, if there is one.
    ///
    /// `storage` is the address of Cloud Storage for Firebase without a path.
    public init(
        storage: URL,
        transport: any HTTPTransport = URLSessionTransport(),
        configuration: Configuration = Configuration(),
        ledger: ByteLedger = ByteLedger()
    ) throws(FeedError) {
        try self.init(
            storage: storage,
            transport: transport,
            configuration: configuration,
            ledger: ledger,
            environment: PipelineEnvironment()
        )
    }

    /// Creates a pipeline in an environment of its own.
    package init(
        storage: URL,
        transport: any HTTPTransport,
        configuration: Configuration,
        ledger: ByteLedger = ByteLedger(),
        environment: PipelineEnvironment
    ) throws(FeedError) {
        self.storage = storage
        self.transport = transport
        credentials = configuration.credentials.map(CredentialStore.init)
        self.configuration = configuration
        decisions = ImageDecisions(joinsRequests: configuration.joinsRequests, staleness: configuration.staleness)
        loads = LoadTable(
            HostQueue.Limits(
                countMax: configuration.concurrentLoadCountMax,
                byteCountMax: configuration.concurrentLoadByteCountMax,
                countMin: Self.concurrentLoadCountMin
            )
        )
        self.ledger = ledger
        self.environment = environment
        memory = configuration.memory.map { MemoryPools($0) }
        if let disk = configuration.disk {
            self.disk = try DiskCache(
                directory: disk.directory,
                byteCountMax: disk.byteCountMax,
                ageMax: disk.ageMax,
                policy: disk.policy,
                now: environment.now
            )
        }
        partials = PartialStore(directory: configuration.disk?.directory)
    }

    /// Loads one image.
    ///
    /// Throws ``FeedError``, or `CancellationError` when the task is cancelled.
    public func image(for reference: ImageReference, priority: ImagePriority = .normal) async throws -> Data {
        for await delivery in images(for: [reference], priority: priority) { return try delivery.result.get() }
        throw CancellationError()
    }

    /// Loads a batch of images and delivers each as it comes.
    ///
    /// The stream ends after one delivery for each reference. A listener that stops, or is cancelled, abandons the
    /// rest: loads that no one else waits for are cancelled.
    public func images(
        for references: [ImageReference],
        priority: ImagePriority = .normal
    ) -> AsyncStream<ImageDelivery> {
        let (stream, continuation) = AsyncStream.makeStream(of: ImageDelivery.self)
        guard !references.isEmpty else {
            continuation.finish()
            return stream
        }
        lastBatchID += 1
        let batchID = lastBatchID
        batches[batchID] = Batch(continuation: continuation, priority: priority, awaitedCount: references.count)
        continuation.onTermination = { [weak self] termination in
            guard case .cancelled = termination, let self else { return }
            Task { await self.abandon(batchID) }
        }
        for (index, reference) in references.enumerated() {
            plan(
                reference,
                for: Waiter(batchID: batchID, index: index, ticket: sequence.takeTicket()),
                priority: priority
            )
        }
        startLoads()
        return stream
    }

    /// Forgets the images in memory, as a relaunch of the app does; those on disk stay.
    public func removeMemory() { memory?.removeAll() }

    /// Whether an image can be had without the network, or is on its way.
    public func holds(_ reference: ImageReference) -> Bool {
        let key = key(of: reference)
        return memory?.image(key, as: reference.role) != nil || loads.id(of: key) != nil || disk?.holds(key) == true
    }

    /// The cache key of an image.
    func key(of reference: ImageReference) -> String { keys.key(of: reference) }

    /// The keys in the memory cache, in alphabetical order.
    package var memoryKeys: [String] { memory?.keys ?? [] }

    /// Returns when what was delivered is in the caches, too.
    package func finishTurn() {}

    /// The loads that are not over.
    package var loadCount: Int { loads.count }
}
