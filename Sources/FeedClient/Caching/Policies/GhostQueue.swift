// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The ids of entries that went, the first to go forgotten first.
struct GhostQueue: Sendable {
    private struct Ghost: Sendable {
        let id: UInt64
        let byteCount: Int
        let number: UInt64
    }

    private let byteCountMax: Int
    private var byteCount = 0
    private var ghosts: [Ghost] = []
    private var start = 0
    private var lastNumber: UInt64 = 0
    private var numbersByID: [UInt64: UInt64] = [:]

    init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

    mutating func insert(_ id: UInt64, byteCount: Int) {
        remove(id)
        lastNumber += 1
        ghosts.append(Ghost(id: id, byteCount: byteCount, number: lastNumber))
        numbersByID[id] = lastNumber
        self.byteCount += byteCount
        while self.byteCount > byteCountMax, start < ghosts.count { dropOldest() }
        dropFirstHalfWhenPassed()
    }

    /// Forgets an id; true if it was known.
    @discardableResult
    mutating func remove(_ id: UInt64) -> Bool {
        // Its place in the row stays until it comes to the front; its bytes count until then.
        numbersByID.removeValue(forKey: id) != nil
    }

    private mutating func dropOldest() {
        let ghost = ghosts[start]
        start += 1
        byteCount -= ghost.byteCount
        if numbersByID[ghost.id] == ghost.number { numbersByID[ghost.id] = nil }
    }

    private mutating func dropFirstHalfWhenPassed() {
        guard start > 64, start * 2 > ghosts.count else { return }
        ghosts.removeFirst(start)
        start = 0
    }
}
