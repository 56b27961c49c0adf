// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// Holds up threads until a commit is stored.
///
/// Blocks like the store itself, and no longer than it: for the time of one write to the disk.
final class CommitGate: Sendable {
    private let isOpen = ConditionLock(value: false)

    func open() {
        isOpen.lock()
        isOpen.unlock(withValue: true)
    }

    func wait() {
        isOpen.lock(whenValue: true)
        isOpen.unlock()
    }
}
