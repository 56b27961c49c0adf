// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
package import SessionLog

/// The groups of a log's users that wait for a core.
package struct GroupQueue: Sendable {
    private let groupCount: Int
    private let nextGroup = Locked(0)

    /// Creates a queue of groups, which are counted from 0.
    package init(count: Int) { groupCount = count }

    /// The cores among which groups are shared out.
    package static var coreCount: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// The cores that have something to do.
    package var takerCount: Int { min(groupCount, Self.coreCount) }

    /// Takes the next group; `nil` when none waits any more.
    package func next() -> Int? {
        nextGroup.withLock { next in
            guard next < groupCount else { return nil }
            defer { next += 1 }
            return next
        }
    }

    /// Has each core take the next group as long as there is one, and returns what the cores have found when all are done.
    ///
    /// Which core takes which group, and when, is by chance: sums of what they find must not depend on it.
    func onAllCores<Found: Sendable>(
        startingWith none: Found,
        _ take: @Sendable (inout Found, Int) throws(SessionLogError) -> Void
    ) throws(SessionLogError) -> [Found] {
        let outcomes = Locked<[Result<Found, SessionLogError>]>([])
        DispatchQueue.concurrentPerform(iterations: takerCount) { _ in
            let outcome = Result { () throws(SessionLogError) in
                var found = none
                while let group = next() { try take(&found, group) }
                return found
            }
            outcomes.withLock { $0.append(outcome) }
        }
        return try outcomes.withLock { $0 }.map { (outcome) throws(SessionLogError) in try outcome.get() }
    }

    /// Makes something of each group on all cores, and hands it out in the order of the groups.
    package static func inOrder<Made: Sendable>(
        _ count: Int,
        make: @Sendable (Int) throws(SessionLogError) -> Made,
        take: (Made) throws(SessionLogError) -> Void
    ) throws(SessionLogError) {
        for start in stride(from: 0, to: count, by: coreCount) {
            let groups = start..<min(count, start + coreCount)
            let made = Locked<[Int: Result<Made, SessionLogError>]>([:])
            DispatchQueue.concurrentPerform(iterations: groups.count) { place in
                let group = groups.lowerBound + place
                let outcome = Result { () throws(SessionLogError) in try make(group) }
                made.withLock { $0[group] = outcome }
            }
            let outcomes = made.withLock { $0 }
            for group in groups {
                if let outcome = outcomes[group] { try take(try outcome.get()) }
            }
        }
    }
}
