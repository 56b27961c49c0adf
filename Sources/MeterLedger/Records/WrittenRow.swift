// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// A row of records, as far as rollups need to know it.
struct WrittenRow {
    let keys: RecordKeys
    /// When the first of them began.
    let startMicroseconds: Int64
    /// Their sum.
    let totals: UsageTotals
}
