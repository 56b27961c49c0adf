// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import NIOConcurrencyHelpers

/// The listeners and their targets; receives every commit.
///
/// A commit meets only the live results of the collections, groups and documents it changed.
final class LiveResults: ChangeObserving {
    private let state = NIOLockedValueBox(RegistryState())
    private let memory: ChangeMemory
    /// The last snapshot made, for the next stream that is sent the same.
    private let lastSnapshot = NIOLockedValueBox<(database: DatabaseID, time: Timestamp, events: CommonEvents)?>(nil)

    init(memory: ChangeMemory) {
        self.memory = memory
    }

    /// All commits up to here have been sent to the live results.
    var toldThrough: Timestamp { state.withLockedValue(\.toldThrough) }

    /// Takes commits up to a time for sent, since there was no live result to send them to.
    func start(at lastCommit: Timestamp) {
        state.withLockedValue { $0.toldThrough = max($0.toldThrough, lastCommit) }
    }

    /// The time through which commits have been sent; `nil` while a commit was not, with which the stream is then woken.
    func toldThrough(atLeast time: Timestamp, for signal: StreamSignal) -> Timestamp? {
        state.withLockedValue { state in
            guard state.toldThrough < time else { return state.toldThrough }
            state.impatient.append(signal)
            return nil
        }
    }

    /// The event that streams have everything up to a time.
    func snapshot(at time: Timestamp, of database: DatabaseID) -> CommonEvents {
        lastSnapshot.withLockedValue { last in
            if let last, last.time == time, last.database == database { return last.events }
            let token = ResumeToken(time: time).bytes(of: database)
            let events = CommonEvents([.snapshot(token: token, readTime: time)])
            last = (database, time, events)
            return events
        }
    }

    func didCommit(_ changes: CommittedChanges) {
        let (listeners, impatient) = state.withLockedValue { state in
            let liveResults = state.liveResults(concernedBy: changes)
            let held = liveResults.isEmpty ? nil : hold(changes.heldByteCount, in: state)
            for (registration, content) in liveResults {
                guard let content else {
                    registration.liveResult.lose(through: changes.commitTime)
                    continue
                }
                registration.liveResult.add(
                    UnevaluatedCommits.Commit(time: changes.commitTime, content: content, memory: held)
                )
            }
            // After the live results have it: a reader of this time finds them up to date.
            state.toldThrough = max(state.toldThrough, changes.commitTime)
            defer { state.impatient = [] }
            return (liveResults.map(\.0.listeners), state.impatient)
        }
        for listener in listeners.lazy.flatMap(\.values) {
            listener.signal.wake()
        }
        for signal in impatient {
            signal.wake()
        }
    }

    /// Makes room by having all live results drop what waits, if there is none; what they miss they read again.
    private func hold(_ byteCount: Int, in state: RegistryState) -> HeldChanges? {
        if let held = memory.hold(byteCount) { return held }
        for registration in state.registrations.values {
            registration.liveResult.dropWaiting()
        }
        return memory.hold(byteCount)
    }

    // MARK: Streams

    func add(_ signal: StreamSignal) {
        state.withLockedValue { $0.streams[ObjectIdentifier(signal)] = signal }
    }

    func remove(_ signal: StreamSignal) {
        state.withLockedValue { $0.streams[ObjectIdentifier(signal)] = nil }
    }

    var streams: [StreamSignal] { state.withLockedValue { Array($0.streams.values) } }

    // MARK: Views

    var viewCount: Int { state.withLockedValue(\.registrations.count) }

    /// The live result for a key, made if there is none; the stream is woken by its changes until it releases it.
    func acquire(_ key: ResultKey, for signal: StreamSignal, make: () -> LiveResult) -> LiveResult {
        state.withLockedValue { state in
            let liveResult = state.liveResults[key] ?? state.add(make())
            state.registrations[ObjectIdentifier(liveResult)]?.add(signal)
            return liveResult
        }
    }

    /// Gives a live result back; one without listeners is forgotten.
    func release(_ liveResult: LiveResult, by signal: StreamSignal) {
        state.withLockedValue { state in
            state.registrations[ObjectIdentifier(liveResult)]?.remove(signal)
            if state.registrations[ObjectIdentifier(liveResult)]?.listeners.isEmpty == true {
                state.forget(liveResult)
            }
        }
    }
}
