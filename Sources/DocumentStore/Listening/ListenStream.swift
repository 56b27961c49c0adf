// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// One who waits for the events of a stream.
package protocol ListenWaiter: AnyObject, Sendable {
    /// Takes note that there may be more, see ``ListenStream/park(_:)``; called on any thread, and quick.
    func wake()
}

/// One client listening to any number of targets of one database.
///
/// Requests may come from any thread; the events are pulled, by one task at a time. A client that pulls slowly
/// costs no caller anything: what happens meanwhile is merged, or read from former versions when it pulls again.
package final class ListenStream: Sendable {
    private let context: StreamCore.Context

    init(_ database: DatabaseID, registry: LiveResults, reader: ListenReader) {
        let signal = StreamSignal(StreamCore())
        self.context = StreamCore.Context(database: database, registry: registry, reader: reader, signal: signal)
        registry.add(signal)
    }

    deinit {
        close()
    }

    package var database: DatabaseID { context.database }

    /// Asks for a target; the answer is among the events.
    package func add(_ target: ListenTarget) {
        context.signal.add(.add(target))
    }

    /// Ends a target; nothing happens when there is none of that id.
    package func remove(_ targetID: Int32) {
        context.signal.add(.remove(targetID))
    }

    /// Asks every target's authorization again; those that it refuses end, with the refusal as their cause.
    package func reauthorize() {
        context.signal.reauthorize()
    }

    /// Waits for events and returns it; `nil` once the stream is closed.
    ///
    /// Reads the store on the thread it runs on: run it where blocking is allowed. A long initial result comes in
    /// parts, one each time.
    ///
    /// - Throws: `FirestoreError` for a request or a failure that ends the stream, which is then closed;
    ///   `CancellationError`, after which it may be pulled again.
    package func next() async throws -> ListenBatch? {
        while true {
            try Task.checkCancellation()
            guard let batch = try pull() else { return nil }
            if !batch.isEmpty { return batch }
            await context.signal.wait()
        }
    }

    /// Takes what there is by now.
    ///
    /// As ``next()``, for one who does not wait but is called, see ``park(_:)``.
    ///
    /// - Parameter mayBlock: Whether it may wait for the disk, or take long. Else that is left to the next pull, as the batch says.
    /// - Returns: The events, perhaps none; `nil` once the stream is closed.
    /// - Throws: `FirestoreError` for a request or a failure that ends the stream, which is then closed.
    package func pull(mayBlock: Bool = true) throws -> ListenBatch? {
        switch context.signal.beginPull(mayBlock: mayBlock) {
        case .closed: return nil
        case .left: return .leftToBlocking
        case .pull(var pull):
            let batch = try step(&pull)
            context.signal.end(&pull)
            guard var closed = pull.core else { return batch }
            // Meanwhile.
            closed.releaseAll(in: context)
            return nil
        }
    }

    /// Has a waiter woken, once, when there may be more events, or the stream is closed.
    ///
    /// - Returns: `false` where that may be so by now.
    package func park(_ waiter: any ListenWaiter) -> Bool { context.signal.park(waiter) }

    /// Ends the stream and releases all it held; who waits for the next events gets `nil`.
    package func close() {
        context.registry.remove(context.signal)
        guard var core = context.signal.close() else { return }
        core.releaseAll(in: context)
    }

    private func step(_ pull: inout StreamSignal.Pull) throws -> ListenBatch? {
        do {
            guard !pull.hasTooManyRequests else { throw FirestoreError.tooManyListenRequests }
            return try pull.core?.step(
                heartbeat: pull.heartbeat,
                mustReauthorize: pull.mustReauthorize,
                mayBlock: pull.mayBlock,
                in: context
            )
        } catch {
            pull.core?.releaseAll(in: context)
            close()
            throw error
        }
    }
}
