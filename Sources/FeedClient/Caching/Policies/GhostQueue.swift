// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The ids of entries that went, within a limit of their bytes; the first to go are forgotten first.
struct GhostQueue: Sendable {
    private struct Ghost: Sendable {
        let byteCount: Int
        let number: UInt64
    }

    private let byteCountMax: Int
    /// The bytes that the entries had.
    private(set) var byteCount = 0
    /// The ids in their order; those forgotten out of turn stay until they come to the front.
    private var row: [(id: UInt64, number: UInt64)] = []
    private var start = 0
    private var lastNumber: UInt64 = 0
    private var ghosts: [UInt64: Ghost] = [:]

    init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

    /// Remembers an id, unless its bytes are more than the whole limit.
    mutating func insert(_ id: UInt64, byteCount: Int) {
        remove(id)
        guard byteCount <= byteCountMax else { return }
        while self.byteCount + byteCount > byteCountMax { forgetOldest() }
        if row.count - start > 2 * ghosts.count + 64 { dropForgotten() }
        lastNumber += 1
        row.append((id, lastNumber))
        ghosts[id] = Ghost(byteCount: byteCount, number: lastNumber)
        self.byteCount += byteCount
    }

    /// Forgets an id; true if it was remembered.
    @discardableResult
    mutating func remove(_ id: UInt64) -> Bool {
        guard let ghost = ghosts.removeValue(forKey: id) else { return false }
        byteCount -= ghost.byteCount
        return true
    }

    /// Forgets the id that has been remembered longest.
    mutating func forgetOldest() {
        while start < row.count {
            let (id, number) = row[start]
            start += 1
            if ghosts[id]?.number == number {
                remove(id)
                break
            }
        }
        dropFirstHalfWhenPassed()
    }

    private mutating func dropForgotten() {
        row = row[start...].filter { ghosts[$0.id]?.number == $0.number }
        start = 0
    }

    private mutating func dropFirstHalfWhenPassed() {
        guard start > 64, start * 2 > row.count else { return }
        row.removeFirst(start)
        start = 0
    }
}
