// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A filter on one field, as the keys its value may have.
struct FieldCondition: Sendable {
    let path: FieldPath
    /// Whether the field is an array of which one element must have such a key.
    let isOnElements: Bool
    /// Disjoint and ascending; none when nothing can match.
    let intervals: [KeyInterval]
    /// Whether each interval is a single value.
    let arePoints: Bool

    init(_ path: FieldPath, isOnElements: Bool = false, intervals: [KeyInterval], arePoints: Bool = false) {
        self.path = path
        self.isOnElements = isOnElements
        self.intervals = intervals
        self.arePoints = arePoints
    }

    /// Whether at most one value matches, so that the field orders nothing.
    var isConstant: Bool { arePoints && intervals.count <= 1 && !isOnElements }

    func matches(_ value: Value?) -> Bool {
        guard let value else { return false }
        guard isOnElements else { return intervals.contains(OrderedKey(value)) }
        return value.arrayElements?.contains { intervals.contains(OrderedKey($0)) } ?? false
    }

    /// Both conditions as one; they must be on the same field and not on elements.
    func intersection(_ other: FieldCondition) -> FieldCondition {
        precondition(path == other.path && !isOnElements && !other.isOnElements, "different subjects")
        return FieldCondition(
            path,
            intervals: intervals.intersection(other.intervals),
            arePoints: arePoints || other.arePoints
        )
    }
}
