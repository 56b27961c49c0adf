// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import NIOConcurrencyHelpers

/// A query's result, or documents by name, as all who listen to the same see it change.
///
///     didCommit ─▶ waiting commits ─▶ evaluated once, by the first puller ─▶ log ─▶ each subscriber
///
/// Without a limit nothing is kept of the documents themselves.
final class LiveResult: Sendable {
    /// The live result of a subscriber.
    enum Taken {
        case changes(ResultSpan)
        /// Too much happened, and what it meant has to be read from former versions; or it was not looked at, as that may block.
        case lost
    }

    let key: ResultKey
    let subject: ResultSubject
    /// Whether changes may be evaluated from the store.
    private let readsStore: Bool
    /// Never held while the store is read: those who commit wait for it.
    private let waiting: NIOLockedValueBox<UnevaluatedCommits>
    /// Held while the store is read, and so never taken by those who commit nor within a read.
    private let evaluation: NIOLockedValueBox<ResultEvaluation>
    private let memory: ListenMemory

    init(_ key: ResultKey, subject: ResultSubject, reader: ListenReader) {
        self.key = key
        self.subject = subject
        readsStore = if case .query(let query) = subject { query.isLimited } else { false }
        self.memory = reader.memory
        let (changeMax, byteCountMax) = (reader.limits.waitingChangeMax, reader.limits.waitingByteCountMax)
        self.waiting = NIOLockedValueBox(UnevaluatedCommits(changeMax: changeMax, byteCountMax: byteCountMax))
        self.evaluation = NIOLockedValueBox(
            ResultEvaluation(subject, limits: reader.limits, windows: reader.memory.windows) { query, time in
                try reader.read { try $0.window(of: query, asOf: time) }
            }
        )
    }

    /// Takes note of a commit; quick.
    func add(_ commit: UnevaluatedCommits.Commit) {
        waiting.withLockedValue { $0.add(commit) }
    }

    /// Takes note that commits up to a time are known to the store alone; quick.
    func lose(through time: Timestamp) {
        waiting.withLockedValue { $0.drop(through: time) }
    }

    /// Drops what was noted, for other live results to have room; quick.
    func dropWaiting() {
        waiting.withLockedValue { $0.dropAll() }
    }

    func subscribe() -> Int {
        evaluation.withLockedValue { $0.log.subscribe() }
    }

    func unsubscribe(_ subscriber: Int) {
        evaluation.withLockedValue { $0.log.unsubscribe(subscriber) }
    }

    /// The changes after one time and up to another; without `mayBlock`, where the store need not be read for few changes.
    func take(_ subscriber: Int, after position: Timestamp, through time: Timestamp, mayBlock: Bool) -> Taken {
        guard mayBlock || !readsStore else { return .lost }
        return evaluation.withLockedValue { evaluation in
            let commits = waiting.withLockedValue { mayBlock || $0.areFew ? $0.takeAll() : nil }
            guard let commits else { return .lost }
            evaluation.evaluate(commits)
            guard mayBlock || evaluation.log.isShort else { return .lost }
            defer { evaluation.log.bound(by: memory.log) }
            let span = evaluation.log.take(subscriber, after: position, through: time)
            return position >= evaluation.log.lostThrough ? .changes(span) : .lost
        }
    }

    /// Gives a limited live result that has none its window, as it was read.
    func provide(_ window: ResultWindow, readAt time: Timestamp) {
        evaluation.withLockedValue { evaluation in
            evaluation.evaluate(waiting.withLockedValue { $0.takeAll() }, from: (window, time))
            evaluation.log.bound(by: memory.log)
        }
    }
}
