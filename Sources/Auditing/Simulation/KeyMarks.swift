// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Numbers noted for keys, all of which are forgotten at once without a look at them.
struct KeyMarks: Sendable {
    private var marks: [(round: UInt32, value: Int32)] = []
    private var round: UInt32 = 1

    /// Forgets everything.
    mutating func removeAll() {
        if round == .max { (marks, round) = ([], 0) }
        round += 1
    }

    /// The number that was noted for a key.
    subscript(_ key: Int) -> Int? {
        guard key < marks.count, marks[key].round == round else { return nil }
        return Int(marks[key].value)
    }

    /// Notes a number for a key, unless there is one; whether there was none.
    @discardableResult
    mutating func insert(_ key: Int, value: Int = 0) -> Bool {
        while marks.count <= key { marks.append((round: 0, value: 0)) }
        guard marks[key].round != round else { return false }
        marks[key] = (round, Int32(value))
        return true
    }

    /// Forgets the number of a key.
    mutating func remove(_ key: Int) {
        if key < marks.count { marks[key].round = 0 }
    }
}
