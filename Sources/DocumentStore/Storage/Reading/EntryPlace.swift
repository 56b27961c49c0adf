// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Where a query that reads entries in order stopped, to be continued in another snapshot.
struct EntryPlace {
    /// The interval's place in the run.
    let interval: Int
    /// The entry at which it stopped; `nil` before the first one of the interval.
    let key: OrderedKey?
    /// Whether the document of that entry was given out.
    let isTaken: Bool
    /// The place of the last document given out, in the query's order.
    let lastKey: OrderedKey

    /// The part of an interval that is still to be read; `nil` when it has been read.
    func rest(of interval: KeyInterval, number: Int, direction: Query.Direction) -> KeyInterval? {
        guard number >= self.interval else { return nil }
        guard number == self.interval, let key else { return interval }
        return interval.from(key, isIncluded: !isTaken, direction: direction)
    }
}

extension KeyInterval {
    /// The part from a key on, in a direction.
    func from(_ key: OrderedKey, isIncluded: Bool, direction: Query.Direction) -> KeyInterval {
        // Followed by a zero, a key is the least one above itself.
        let next = OrderedKey(key.bytes + [0])
        switch direction {
        case .ascending: return KeyInterval(isIncluded ? key : next, upper)
        case .descending: return KeyInterval(lower, isIncluded ? next : key)
        }
    }
}
