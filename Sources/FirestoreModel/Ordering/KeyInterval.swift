// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The keys from `lower` up to but not including `upper`.
package struct KeyInterval: Hashable, Sendable {
    package var lower: OrderedKey
    package var upper: OrderedKey

    package init(_ lower: OrderedKey = OrderedKey(), _ upper: OrderedKey = .upperLimit) {
        self.lower = lower
        self.upper = upper
    }

    /// The keys that begin with a prefix.
    package init(prefix: OrderedKey) {
        self.init(prefix, prefix.successor)
    }

    package var isEmpty: Bool { upper <= lower }

    package func contains(_ key: OrderedKey) -> Bool {
        lower <= key && key < upper
    }

    package func intersection(_ other: KeyInterval) -> KeyInterval {
        KeyInterval(max(lower, other.lower), min(upper, other.upper))
    }
}

extension [KeyInterval] {
    package func contains(_ key: OrderedKey) -> Bool {
        contains { $0.contains(key) }
    }

    /// The intersection of two unions of intervals, in ascending order.
    package func intersection(_ other: [KeyInterval]) -> [KeyInterval] {
        flatMap { left in other.map { left.intersection($0) } }
            .filter { !$0.isEmpty }
            .sorted { $0.lower < $1.lower }
    }

    /// Ascending intervals, each cut off where the one before it ends.
    var withoutOverlaps: [KeyInterval] {
        var disjoint: [KeyInterval] = []
        for interval in self {
            let rest = KeyInterval(Swift.max(interval.lower, disjoint.last?.upper ?? OrderedKey()), interval.upper)
            if !rest.isEmpty {
                disjoint.append(rest)
            }
        }
        return disjoint
    }
}
