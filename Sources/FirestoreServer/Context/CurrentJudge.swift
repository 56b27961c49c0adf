// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// The judge in force, which may be replaced while calls are made.
///
/// A call keeps the judge it began with; listeners are judged again by the new one.
package final class CurrentJudge: Sendable {
    private struct State {
        var judge: any FirestoreJudge
        var observers: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    private let state: NIOLockedValueBox<State>

    /// Puts a judge in force.
    package init(_ judge: any FirestoreJudge = OpenJudge()) {
        state = NIOLockedValueBox(State(judge: judge))
    }

    var judge: any FirestoreJudge { state.withLockedValue(\.judge) }

    /// Puts another judge in force and has every open listener judged again.
    package func replace(with judge: any FirestoreJudge) {
        let observers = state.withLockedValue { state in
            state.judge = judge
            return Array(state.observers.values)
        }
        for judgeAgain in observers { judgeAgain() }
    }

    /// Calls `judgeAgain` after each replacement, until the observer is removed.
    func add(_ observer: AnyObject, judgeAgain: @escaping @Sendable () -> Void) {
        state.withLockedValue { $0.observers[ObjectIdentifier(observer)] = judgeAgain }
    }

    /// Removes an observer, which may never have been added.
    func remove(_ observer: AnyObject) {
        state.withLockedValue { $0.observers[ObjectIdentifier(observer)] = nil }
    }
}
