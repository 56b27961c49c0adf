// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// Reports a load's progress to its watchers.
final class ProgressRelay: Sendable {
    typealias Watcher = @Sendable (_ receivedByteCount: Int, _ wholeByteCount: Int?) -> Void

    private let watchers = Locked<[Watcher]>([])

    func watch(_ watcher: @escaping Watcher) { watchers.withLock { $0.append(watcher) } }

    func report(_ receivedByteCount: Int, of wholeByteCount: Int?) {
        for watcher in watchers.withLock({ $0 }) { watcher(receivedByteCount, wholeByteCount) }
    }
}
