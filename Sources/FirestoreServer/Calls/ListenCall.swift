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
    /// The lists that targets begin to show; `nil` where no session is recorded.
    private let lists: ListenedLists?
    private let state = NIOLockedValueBox(State.unopened)
    /// Hands the stream to the task that waits for the first request; finished when the call is closed.
    private let opening = AsyncStream.makeStream(of: OpenStream.self)

    private enum State {
        case unopened
        case open(OpenStream)
        case closed
    }

    /// The stream of the database that the first request has named.
    private final class OpenStream: Sendable {
        let stream: ListenStream
        let database: DatabaseID
        /// The usage that all reads of the stream begin with.
        let usageOfReads: CallUsage

        init(_ stream: ListenStream, in context: CallContext) {
            self.stream = stream
            database = stream.database
            var usage = context.usage
            usage.attribution.database = database.shortName
            usage.reads = nil
            usageOfReads = usage
        }
    }

    /// Creates a call that waits for its first request.
    init(calls: FirestoreCalls, context: CallContext) {
        self.calls = calls
        self.context = context
        lists = context.usage.reads.map { _ in ListenedLists() }
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
        guard let open = await openStream(), let batch = try await open.stream.next() else { return nil }
        return try answers(batch, of: open)
    }

    /// The answers that there are by now, perhaps none; `nil` once the call is closed.
    ///
    /// As ``next()``, for one who does not wait but is called, see ``park(_:)``; a request must have been taken. Without `mayBlock`
    /// it leaves to another pull what may wait for the disk, or take long.
    func pull(mayBlock: Bool) throws -> ListenAnswers? {
        guard case .open(let open) = state.withLockedValue(\.self) else { return nil }
        return try open.stream.pull(mayBlock: mayBlock).map { try answers($0, of: open) }
    }

    /// Has a waiter woken, once, when there may be more answers, or the call is closed.
    ///
    /// - Returns: `false` where that may be so by now.
    func park(_ waiter: any ListenWaiter) -> Bool {
        guard case .open(let open) = state.withLockedValue(\.self) else { return false }
        return open.stream.park(waiter)
    }

    private func answers(_ batch: ListenBatch, of open: OpenStream) throws -> ListenAnswers {
        let database = open.database
        let usages = batch.usages(like: open.usageOfReads) { lists?.reads(of: $0, in: batch, from: database) }
        if usages.contains(where: { $0.billed != .zero }) { try calls.admitReading() }
        return ListenAnswers(batch, of: database, usages: usages)
    }

    /// Ends the call, which hears of no more changes.
    func close() {
        let former = state.withLockedValue { state in
            defer { state = .closed }
            return state
        }
        calls.judge.remove(self)
        opening.continuation.finish()
        if case .open(let open) = former { open.stream.close() }
    }

    /// Has every target judged again, as by another judge or for another caller.
    private func reauthorize() {
        if case .open(let open) = state.withLockedValue(\.self) { open.stream.reauthorize() }
    }

    private func stream(for request: Proto.ListenRequest) throws -> ListenStream {
        if case .open(let open) = state.withLockedValue(\.self) {
            guard request.database.isEmpty || request.database == open.stream.database.name else {
                throw CallError.listenDatabaseChanged
            }
            return open.stream
        }
        let stream = calls.listening.openStream(in: try DatabaseID(parsing: request.database))
        let open = OpenStream(stream, in: context)
        state.withLockedValue { state in
            if case .unopened = state { state = .open(open) }
        }
        opening.continuation.yield(open)
        return stream
    }

    /// Waits for the first request, or for the end: of the call or of the task.
    private func openStream() async -> OpenStream? {
        if case .open(let open) = state.withLockedValue(\.self) { return open }
        for await open in opening.stream { return open }
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
            do {
                let term = try calls.authorize(content, in: database, as: current)
                return ListenVerdict(term: term, ruleReads: current.takeRuleReads())
            } catch let error as FirestoreError where error.code == .permissionDenied {
                return ListenVerdict(refusal: error, ruleReads: current.takeRuleReads())
            }
        }
    }
}

extension FirestoreCalls {
    /// Has what a target listens to judged; returns how long the verdict holds.
    fileprivate func authorize(
        _ content: ListenTarget.Content,
        in database: DatabaseID,
        as context: CallContext
    ) throws -> VerdictTerm {
        switch content {
        case .query(let query): return try context.authorize(query, of: store, in: database)
        case .documents(let paths):
            let first = try store.get(Array(paths.prefix(1)), in: database)
            try context.authorize(paths, readSoFar: first, of: store, in: database)
            return .untilNextChange
        case .refused: return .lasting
        }
    }
}

/// Answers of a Listen stream that go out together.
struct ListenAnswers: Sendable {
    /// The reads behind them, one usage for each query or collection listened to.
    let usages: [CallUsage]
    private let batch: ListenBatch
    private let database: DatabaseID

    init(_ batch: ListenBatch, of database: DatabaseID, usages: [CallUsage]) {
        (self.batch, self.database, self.usages) = (batch, database, usages)
    }

    var isEmpty: Bool { batch.isEmpty }

    /// How the next answers come.
    var continuation: ListenBatch.Continuation { batch.continuation }

    /// The messages.
    ///
    /// - Throws: `FirestoreError` (data loss) for a document that is damaged in the file.
    func responses() throws -> [Proto.ListenResponse] { try Self.responses(to: batch.events, of: database) }

    /// The messages in JSON; that of events which many streams are sent is made once.
    func json() throws -> [[UInt8]] {
        let common = try batch.common?.encoded { try Self.json($0, of: database) } ?? []
        return batch.own.isEmpty ? common : common + (try Self.json(batch.own, of: database))
    }

    private static func responses(to events: [ListenEvent], of database: DatabaseID) throws -> [Proto.ListenResponse] {
        try events.map { try Proto.ListenResponse($0, in: database) }
    }

    private static func json(_ events: [ListenEvent], of database: DatabaseID) throws -> [[UInt8]] {
        try responses(to: events, of: database).map(ProtoJSON.compact)
    }
}

extension ListenBatch {
    /// The billed reads, each target's filed under what the target is about.
    ///
    /// - Parameters:
    ///   - usage: What the usages have in common.
    ///   - reads: The documents that targets have read in the batch.
    /// - Returns: A usage for each query or collection, in the order of the targets; where nothing was read, one for the target
    ///   that was added.
    func usages(like usage: CallUsage, reads: ([Int32]) -> ReadDocuments?) -> [CallUsage] {
        // Mostly there is one, and nothing to group.
        if bills.count == 1 {
            return [usage.labelled(bills[0].label, bills: bills, reads: reads([bills[0].target]))]
        }
        var groups: [(label: TargetLabel, bills: [ListenBill])] = []
        if bills.isEmpty, let addedLabel { groups.append((addedLabel, [])) }
        for bill in bills.sorted(by: { $0.target < $1.target }) {
            if let index = groups.firstIndex(where: { $0.label == bill.label }) {
                groups[index].bills.append(bill)
            } else {
                groups.append((bill.label, [bill]))
            }
        }
        return groups.map { label, bills in
            usage.labelled(label, bills: bills, reads: bills.isEmpty ? nil : reads(bills.map(\.target)))
        }
    }
}

extension CallUsage {
    /// The usage of targets with a label.
    fileprivate func labelled(_ label: TargetLabel, bills: [ListenBill], reads: ReadDocuments?) -> CallUsage {
        var labelled = self
        labelled.attribution.collection = label.collection
        labelled.attribution.queryShape = label.queryShape
        labelled.billed = BilledUsage(ruleReads: bills.reduce(0) { $0 + Int64($1.ruleReadCount) })
        labelled.billed.documentReads += bills.reduce(0) { $0 + Int64($1.readCount) }
        labelled.reads = reads
        return labelled
    }
}

extension TargetLabel {
    init(_ attribution: UsageAttribution) {
        self.init(collection: attribution.collection, queryShape: attribution.queryShape)
    }
}
