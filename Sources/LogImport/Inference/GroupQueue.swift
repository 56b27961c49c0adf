// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SessionLog

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

    /// Has each core take the next group as long as there is one, and returns when all are done.
    ///
    /// Which core takes which group, and when, is by chance: sums of what they find must not depend on it.
    func onAllCores(_ take: @Sendable (Int) throws(SessionLogError) -> Void) throws(SessionLogError) {
        let failure = Locked<SessionLogError?>(nil)
        DispatchQueue.concurrentPerform(iterations: takerCount) { _ in
            do throws(SessionLogError) {
                while let group = next() { try take(group) }
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
