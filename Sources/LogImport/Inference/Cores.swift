// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SessionLog

/// Work on groups of users, on as many cores as there are.
package enum Cores {
    /// The number of cores.
    package static var count: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// Has each core take the next group as long as there is one, and add it to a state of its own; returns the states.
    ///
    /// Which groups are in which depends on the cores, and so must not show once they are added up.
    static func sums<State: Sendable>(
        ofGroups groupCount: Int,
        startingWith state: State,
        _ add: @Sendable (Int, inout State) throws(SessionLogError) -> Void
    ) throws(SessionLogError) -> [State] {
        let next = Locked(0)
        let outcomes = Locked<[Result<State, SessionLogError>]>([])
        DispatchQueue.concurrentPerform(iterations: min(groupCount, count)) { _ in
            var state = state
            let outcome = Result { () throws(SessionLogError) in
                while let group = next.withLock({ next in next < groupCount ? next.advance() : nil }) {
                    try add(group, &state)
                }
                return state
            }
            outcomes.withLock { $0.append(outcome) }
        }
        var states: [State] = []
        for outcome in outcomes.withLock({ $0 }) { states.append(try outcome.get()) }
        return states
    }
}

extension Int {
    /// Counts on, and returns the number before.
    fileprivate mutating func advance() -> Int {
        defer { self += 1 }
        return self
    }
}
