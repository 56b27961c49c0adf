// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The values of the keys that were set last: at least a number of them, at most twice as many, however many there are.
struct RecentValues<Key: Hashable, Value> {
    private let countMin: Int
    private var current: [Key: Value] = [:]
    private var former: [Key: Value] = [:]

    init(atLeast countMin: Int) { self.countMin = countMin }

    subscript(_ key: Key) -> Value? { current[key] ?? former[key] }

    mutating func set(_ value: Value, for key: Key) {
        if current.count == countMin, current[key] == nil { (former, current) = (current, [:]) }
        current[key] = value
    }
}
