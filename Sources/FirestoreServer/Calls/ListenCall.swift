// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import Metering
import NIOConcurrencyHelpers
import Wire

/// One Listen stream: requests in, answers out, each at its own pace.
///
/// The first request names the database; until then there is nothing to wait for.
final class ListenCall: Sendable {
    private let calls: FirestoreCalls
    private let context: CallContext
    /// The usage that all reads of the stream begin with.
    private let usageOfReads: CallUsage
    /// The lists that targets begin to show; `nil` where no session is recorded.
    private let lists: ListenedLists?
    private let state = NIOLockedValueBox(State.unopened)
    /// Hands the stream to the task that waits for the first request; finished when the call is closed.
    private let opening = AsyncStream.makeStream(of: ListenStream.self)

    private enum State {
        case unopened
        case open(ListenStream)
        case closed
    }

    /// Creates a call that waits for its first request.
    init(calls: FirestoreCalls, context: CallContext) {
        self.calls = calls
        self.context = context
        var usage = context.usage
        lists = usage.reads.map { _ in ListenedLists() }
        usage.reads = nil
        usageOfReads = usage
        calls.judge.add(self) { [weak self] in self?.reauthorize() }
    }

    /// Takes the next request; an error ends the stream.
    func take(_ request: Proto.ListenRequest) throws {
        let stream = try stream(for: request)
        context.attribute(to: stream.database)
        switch request.targetChange {
        case .addTarget(let proto):
            context.attribute(to: proto, in: stream.database)
            lists?.add(proto, in: stream.database)
            try calls.admitReading()
            var target = admitted(try ListenTarget(proto, in: stream.database), in: stream.database)
            target.label = context.attribute { TargetLabel($0) }
            target.authorization = authorization(of: target.content, in: stream.database)
            stream.add(target)
        case .removeTarget(let id):
            stream.remove(id)
        case nil:
            throw CallError.listenWithoutTarget
        }
    }

    /// Waits for the next answers; `nil` once the call is closed, or when the task is cancelled before it is open.
    func next() async throws -> ListenAnswers? {
        guard let stream = await openStream(), let batch = try await stream.next() else { return nil }
        return try answers(batch, of: stream)
    }

    /// The answers that there are by now, or none: then a function is called, once, when there may be some; `nil` once the call
    /// is closed.
    ///
    /// As ``next()``, for one who does not wait; a request must have been taken.
    func next(orCall waken: @escaping @Sendable () -> Void) throws -> ListenAnswers? {
        guard case .open(let stream) = state.withLockedValue(\.self), let batch = try stream.next(orCall: waken) else {
            return nil
        }
        return try answers(batch, of: stream)
    }

    private func answers(_ batch: ListenBatch, of stream: ListenStream) throws -> ListenAnswers {
        var usage = usageOfReads
        usage.attribution.database = stream.database.shortName
        let usages = batch.usages(like: usage) { lists?.reads(of: $0, in: batch, from: stream.database) }
        if !usages.isEmpty { try calls.admitReading() }
        return ListenAnswers(
            responses: try batch.events.map { try Proto.ListenResponse($0, in: stream.database) },
            usages: usages
        )
    }

    /// Ends the call, which hears of no more changes.
    func close() {
        let former = state.withLockedValue { state in
            defer { state = .closed }
            return state
        }
        calls.judge.remove(self)
        opening.continuation.finish()
        if case .open(let stream) = former { stream.close() }
    }

    /// Has every target judged again, as by another judge or for another caller.
    private func reauthorize() {
        if case .open(let stream) = state.withLockedValue(\.self) { stream.reauthorize() }
    }

    private func stream(for request: Proto.ListenRequest) throws -> ListenStream {
        if case .open(let stream) = state.withLockedValue(\.self) {
            guard request.database.isEmpty || request.database == stream.database.name else {
                throw CallError.listenDatabaseChanged
            }
            return stream
        }
        let stream = calls.listening.openStream(in: try DatabaseID(parsing: request.database))
        state.withLockedValue { state in
            if case .unopened = state { state = .open(stream) }
        }
        opening.continuation.yield(stream)
        return stream
    }

    /// Waits for the first request, or for the end: of the call or of the task.
    private func openStream() async -> ListenStream? {
        if case .open(let stream) = state.withLockedValue(\.self) { return stream }
        for await stream in opening.stream { return stream }
        return nil
    }

    private func admitted(_ target: ListenTarget, in database: DatabaseID) -> ListenTarget {
        guard case .query(let query) = target.content else { return target }
        do {
            try calls.indexes.admit(query, in: database)
            return target
        } catch let error as FirestoreError {
            var refused = target
            refused.content = .refused(error)
            return refused
        } catch {
            return target
        }
    }

    /// Asks the judge in force at the time it is called: the stream outlives replacements.
    private func authorization(
        of content: ListenTarget.Content,
        in database: DatabaseID
    ) -> ListenTarget.Authorization? {
        guard !context.caller.isAdmin else { return nil }
        return { [calls, context] in
            let current = context.judged(by: calls.judge.judge)
            switch content {
            case .query(let query): try current.authorize(query, of: calls.store, in: database)
            case .documents(let paths):
                for path in paths {
                    let result = try calls.store.get([path], in: database)
                    try current.authorize(result, of: calls.store, in: database)
                }
            case .refused: break
            }
        }
    }
}

/// Answers of a Listen stream that go out together.
struct ListenAnswers: Sendable {
    let responses: [Proto.ListenResponse]
    /// The reads behind them, one usage for each query or collection listened to; none where nothing was read.
    let usages: [CallUsage]
}

extension ListenBatch {
    /// The billed reads, each target's filed under what the target is about.
    ///
    /// - Parameters:
    ///   - usage: What the usages have in common.
    ///   - reads: The documents that targets have read in the batch.
    /// - Returns: A usage for each query or collection, in the order of the targets.
    func usages(like usage: CallUsage, reads: ([Int32]) -> ReadDocuments?) -> [CallUsage] {
        var usages: [CallUsage] = []
        var indices: [TargetLabel: Int] = [:]
        var targets: [[Int32]] = []
        for (id, count) in billedReads.sorted(by: { $0.key < $1.key }) {
            let label = labels[id] ?? TargetLabel()
            if let index = indices[label] {
                usages[index].billed.documentReads += Int64(count)
                targets[index].append(id)
                continue
            }
            var labelled = usage
            labelled.attribution.collection = label.collection
            labelled.attribution.queryShape = label.queryShape
            labelled.billed.documentReads = Int64(count)
            indices[label] = usages.count
            usages.append(labelled)
            targets.append([id])
        }
        for index in usages.indices { usages[index].reads = reads(targets[index]) }
        return usages
    }
}

extension TargetLabel {
    init(_ attribution: UsageAttribution) {
        self.init(collection: attribution.collection, queryShape: attribution.queryShape)
    }
}
