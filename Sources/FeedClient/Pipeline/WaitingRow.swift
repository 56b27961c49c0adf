// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A load that waits for a place.
package struct WaitingLoad: Sendable {
    package let id: Int
    /// Returns which of two was put in first.
    package let number: Int
    /// The size, as far as it is known.
    package let byteCount: Int
}

/// Loads in the order in which they were put in; those that wait no longer are passed over when their turn comes.
struct WaitingRow: Sendable {
    private var loads: [WaitingLoad] = []
    private var start = 0

    mutating func append(_ load: WaitingLoad) { loads.append(load) }

    /// The first load that still waits; those before it are forgotten.
    mutating func first(where isWaiting: (WaitingLoad) -> Bool) -> WaitingLoad? {
        while start < loads.count {
            if isWaiting(loads[start]) { return loads[start] }
            removeFirst()
        }
        return nil
    }

    mutating func removeFirst() {
        start += 1
        guard start == loads.count else { return }
        loads.removeAll(keepingCapacity: true)
        start = 0
    }
}
