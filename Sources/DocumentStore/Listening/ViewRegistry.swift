// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import NIOConcurrencyHelpers

/// The listeners and their targets; receives every commit.
///
/// A commit meets only the views of the collections, groups and documents it changed.
final class ViewRegistry: ChangeObserving {
    private let state = NIOLockedValueBox(RegistryState())
    private let memory: ChangeMemory

    init(memory: ChangeMemory) {
        self.memory = memory
    }

    /// All commits up to here have been sent to the views.
    var toldThrough: Timestamp { state.withLockedValue(\.toldThrough) }

    /// Takes commits up to a time for sent, since there was no view to send them to.
    func start(at lastCommit: Timestamp) {
        state.withLockedValue { $0.toldThrough = max($0.toldThrough, lastCommit) }
    }

    /// Whether a commit was sent; if not, the stream is woken when one is.
    func hasTold(_ time: Timestamp, to signal: StreamSignal) -> Bool {
        state.withLockedValue { state in
            guard state.toldThrough < time else { return true }
            state.impatient.append(signal)
            return false
        }
    }

    func didCommit(_ changes: CommittedChanges) {
        let (listeners, impatient) = state.withLockedValue { state in
            let views = state.views(concernedBy: changes)
            let held = views.isEmpty ? nil : hold(changes.heldByteCount, in: state)
            for (registration, content) in views {
                registration.view.add(
                    UnevaluatedCommits.Commit(time: changes.commitTime, content: content, memory: held)
                )
            }
            // After the views have it: a reader of this time finds them up to date.
            state.toldThrough = max(state.toldThrough, changes.commitTime)
            defer { state.impatient = [] }
            return (views.map(\.0.listeners), state.impatient)
        }
        for listener in listeners.lazy.flatMap(\.values) {
            listener.signal.wake()
        }
        for signal in impatient {
            signal.wake()
        }
    }

    /// Makes room by having all views drop what waits, if there is none; what they miss they read again.
    private func hold(_ byteCount: Int, in state: RegistryState) -> HeldChanges? {
        if let held = memory.hold(byteCount) { return held }
        for registration in state.registrations.values {
            registration.view.dropWaiting()
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

    /// The view for a key, made if there is none; the stream is woken by its changes until it releases it.
    func acquire(_ key: ViewKey, for signal: StreamSignal, make: () -> SharedView) -> SharedView {
        state.withLockedValue { state in
            let view = state.views[key] ?? state.add(make())
            state.registrations[ObjectIdentifier(view)]?.add(signal)
            return view
        }
    }

    /// Gives a view back; one without listeners is forgotten.
    func release(_ view: SharedView, by signal: StreamSignal) {
        state.withLockedValue { state in
            state.registrations[ObjectIdentifier(view)]?.remove(signal)
            if state.registrations[ObjectIdentifier(view)]?.listeners.isEmpty == true {
                state.forget(view)
            }
        }
    }
}
