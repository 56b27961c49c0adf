// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import Metering
import NIOConcurrencyHelpers

/// One Listen stream: requests in, answers out, each at its own pace.
///
/// The first request names the database; until then there is nothing to wait for.
final class ListenSession: Sendable {
    private let calls: FirestoreCalls
    private let state = NIOLockedValueBox(State.unopened(nil))

    private enum State {
        /// The task that waits for the first request, if there is one already.
        case unopened(CheckedContinuation<ListenStream?, Never>?)
        case open(ListenStream)
        case closed
    }

    /// Creates a session that waits for its first request.
    init(calls: FirestoreCalls) {
        self.calls = calls
    }

    /// Takes the next request; an error ends the stream.
    func take(_ request: Proto.ListenRequest, usage: inout CallUsage) throws {
        let stream = try stream(for: request)
        usage.attribute(to: stream.database)
        switch request.targetChange {
        case .addTarget(let target):
            usage.attribute(to: target)
            try calls.admitReading()
            stream.add(admitted(try ListenTarget(target, in: stream.database), in: stream.database))
        case .removeTarget(let id):
            stream.remove(id)
        case nil:
            throw CallError.listenWithoutTarget
        }
    }

    /// Waits for the next answers; `nil` once the session is closed.
    func next(usage: inout CallUsage) async throws -> [Proto.ListenResponse]? {
        guard let stream = await openStream(), let batch = try await stream.next() else { return nil }
        let billedReads = batch.billedReads.values.reduce(0) { $0 + Int64($1) }
        if billedReads > 0 { try calls.admitReading() }
        usage.billed.documentReads += billedReads
        return batch.events.map { Proto.ListenResponse($0, in: stream.database) }
    }

    /// Ends the session; nobody is told of changes any more.
    func close() {
        let former = state.withLockedValue { state in
            defer { state = .closed }
            return state
        }
        switch former {
        case .unopened(let waiting): waiting?.resume(returning: nil)
        case .open(let stream): stream.close()
        case .closed: break
        }
    }

    private func stream(for request: Proto.ListenRequest) throws -> ListenStream {
        if case .open(let stream) = state.withLockedValue(\.self) {
            guard request.database.isEmpty || request.database == stream.database.name else {
                throw CallError.listenDatabaseChanged
            }
            return stream
        }
        let stream = calls.listening.openStream(in: try DatabaseID(parsing: request.database))
        let waiting = state.withLockedValue { state in
            guard case .unopened(let waiting) = state else { return CheckedContinuation<ListenStream?, Never>?.none }
            state = .open(stream)
            return waiting
        }
        waiting?.resume(returning: stream)
        return stream
    }

    private func openStream() async -> ListenStream? {
        await withCheckedContinuation { continuation in
            let stream: ListenStream?? = state.withLockedValue { state in
                switch state {
                case .unopened:
                    state = .unopened(continuation)
                    return nil
                case .open(let stream): return stream
                case .closed: return .some(nil)
                }
            }
            if let stream { continuation.resume(returning: stream) }
        }
    }

    private func admitted(_ target: ListenTarget, in database: DatabaseID) -> ListenTarget {
        guard case .query(let query) = target.content else { return target }
        do {
            try calls.indexes.admit(query, in: database)
            return target
        } catch let error as DocumentStoreError {
            var refused = target
            refused.content = .refused(error)
            return refused
        } catch {
            return target
        }
    }
}

extension CallUsage {
    /// Notes what a target listens to; with several on a stream, the last.
    fileprivate mutating func attribute(to target: Proto.Target) {
        guard case .query(let query) = target.targetType else { return }
        let parent = try? ResourceParent(parsing: query.parent)
        attribute(to: query.structuredQuery, under: parent?.document)
    }
}
