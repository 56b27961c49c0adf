// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// Keeps clients informed of changes to a store.
///
///     commits ─▶ registry ─▶ live results, shared by all listeners of the same ─▶ streams ─▶ pullers
///
/// Commits are only noted; what they mean is worked out by those who pull. There is one hub for a store.
package final class ListenHub: Sendable {
    /// How often streams without changes receive the current time, so that their clients return cheaply.
    ///
    /// Our own choice: what production does is not recorded (2026-10: not within 4 s).
    package static let heartbeatInterval: Duration = .seconds(30)

    private let reader: ListenReader
    private let registry: LiveResults

    /// Starts to observe a store.
    ///
    /// - Throws: `FirestoreError` when the store cannot be read.
    package convenience init(store: SQLiteDocumentStore) throws {
        try self.init(store: store, history: StoredHistory(), limits: ListenLimits())
    }

    init(store: SQLiteDocumentStore, history: any ListenHistory, limits: ListenLimits) throws {
        let memory = ListenMemory(limits)
        self.reader = ListenReader(store: store, history: history, limits: limits, memory: memory)
        self.registry = LiveResults(memory: memory.waiting)
        store.addObserver(registry)
        registry.start(at: try reader.read(\.lastCommit))
    }

    /// A stream without targets; close it when the client is gone.
    package func openStream(in database: DatabaseID) -> ListenStream {
        ListenStream(database, registry: registry, reader: reader)
    }

    /// Announces the time to all streams, again and again until the task is cancelled.
    ///
    /// Where the store cannot be read, as on a full disk, streams stay quiet until it can be read again.
    package func announceTime(clock: some Clock<Duration>) async {
        while (try? await clock.sleep(for: Self.heartbeatInterval)) != nil {
            try? announceTime()
        }
    }

    /// Announces the time to all streams: those that pull get a snapshot of it, with a token.
    ///
    /// - Throws: `FirestoreError` when the store cannot be read.
    package func announceTime() throws {
        let (time, lastCommit) = try reader.read { ($0.readTime, $0.lastCommit) }
        // Just now a commit is being sent: its own snapshots are the news.
        guard registry.toldThrough >= lastCommit else { return }
        for stream in registry.streams {
            stream.wake(heartbeat: time)
        }
    }

    /// Views under observation, for tests and the curious: equal targets share one.
    package var viewCount: Int { registry.viewCount }

    package var streamCount: Int { registry.streams.count }

    /// Bytes of documents that wait for streams that do not pull, and of results kept for limited queries.
    package var heldByteCount: Int {
        [reader.memory.waiting, reader.memory.log, reader.memory.windows].reduce(0) { $0 + $1.heldByteCount }
    }
}
