// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// The sums that records have added since the rollups were stored last.
struct RollupBuffer {
    private(set) var sums: [RollupKey: UsageTotals] = [:]

    var isEmpty: Bool { sums.isEmpty }
    var count: Int { sums.count }

    /// Adds the records of a row, which lie in a period.
    mutating func add(_ row: WrittenRow, period: Int64) {
        let tag = row.keys.tag ?? TextTable.emptyID
        for dimension in RollupDimension.allCases {
            let key = dimension.key(row.keys)
            sums[RollupKey(dimension: dimension, period: period, key: key, tag: tag), default: .zero].add(row.totals)
        }
    }

    /// Forgets what has been stored; the memory is used again.
    mutating func removeAll() { sums.removeAll(keepingCapacity: true) }
}
