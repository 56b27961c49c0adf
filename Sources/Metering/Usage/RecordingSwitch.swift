// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whether a session is recorded, which may begin and end while requests are answered.
package final class RecordingSwitch: Sendable {
    private let changeCount = Atomic<Int>(0)

    /// Creates a switch that is off.
    package init() {}

    /// Whether requests note their documents and objects.
    package var isOn: Bool { !changeCount.load(ordering: .relaxed).isMultiple(of: 2) }

    /// Changes whenever a recording begins or ends: what was kept before knows nothing of it.
    package var version: Int { changeCount.load(ordering: .relaxed) }

    /// Turns it on or off.
    package func turn(on: Bool) {
        var count = version
        while count.isMultiple(of: 2) == on {
            let (isDone, present) = changeCount.compareExchange(
                expected: count,
                desired: count + 1,
                ordering: .relaxed
            )
            if isDone { return }
            count = present
        }
    }
}
