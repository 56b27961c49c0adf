// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The key of a rollup's row, which sums up the records of one period, one tag, and one value of a dimension.
struct RollupKey: Hashable, Comparable {
    let dimension: RollupDimension
    let period: Int64
    /// The id of the value.
    let key: Int64
    /// The id of the tag.
    let tag: Int64

    /// The order in which the rows lie.
    static func < (left: Self, right: Self) -> Bool {
        (left.dimension.rawValue, left.period, left.key, left.tag)
            < (right.dimension.rawValue, right.period, right.key, right.tag)
    }
}
