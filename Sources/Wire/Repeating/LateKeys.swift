// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The different keys that came last: at least `countMin` of them, and at most twice that.
struct LateKeys {
    private let countMax: Int
    private var newer: Set<Int> = []
    private var older: Set<Int> = []

    init(countMax: Int) {
        self.countMax = countMax
    }

    /// Returns `false` when the key was here.
    mutating func insert(_ key: Int) -> Bool {
        guard newer.insert(key).inserted else { return false }
        let isNew = !older.contains(key)
        if newer.count == countMax {
            older = newer
            newer = []
        }
        return isNew
    }
}
