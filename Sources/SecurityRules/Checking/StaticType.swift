// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A type that an expression may have, as warnings name it.
enum StaticType: String, Sendable {
    case null, bool, bytes, constraint, duration, float, int, latlng, list, map
    case mapDiff = "map_diff"
    case path, set, string, timestamp, vector
}

extension [StaticType] {
    /// Those that another list has, too; all where that is unknown.
    func common(with other: [StaticType]?) -> [StaticType] {
        guard let other else { return self }
        return filter(other.contains)
    }

    func isDisjoint(from other: [StaticType]) -> Bool { !contains(where: other.contains) }

    /// Whether values of both can never be equal; numbers can.
    func isIncomparable(with other: [StaticType]) -> Bool {
        let numbers: [StaticType] = [.int, .float]
        if !isDisjoint(from: numbers), !other.isDisjoint(from: numbers) { return false }
        return isDisjoint(from: other)
    }

    var text: String { "[\(map(\.rawValue).joined(separator: ", "))]" }
}
