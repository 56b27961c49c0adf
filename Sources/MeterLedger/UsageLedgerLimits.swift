// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// When a ledger writes, how much it holds in memory, and what it keeps on disk.
///
/// Of records that wait as one run, all after the first take next to nothing, and count for less, see
/// ``repeatsPerRecord``.
package struct UsageLedgerLimits: Hashable, Sendable {
    /// This many repeats of a record, two to sixteen bytes each, count as one record more.
    static let repeatsPerRecord = 64

    /// The number of waiting records that makes the ledger write at once.
    ///
    /// Enough that equal ones meet: they take one row, which is most of what they cost.
    package var flushRecordCount = 8_192
    /// How long a record waits at most before it is written.
    package var flushInterval = Duration.milliseconds(100)
    /// How long the ledger waits before it tries again when it cannot be written.
    package var retryInterval = Duration.seconds(1)
    /// The most records that wait; one more makes its caller wait for a write.
    package var waitingRecordCountMax = 16_384
    /// The most sums that wait to be added to the rollups, but for those of one batch of records.
    package var waitingSumCountMax = 24_576
    /// The most rows of records that are kept; older ones are deleted, and only their sums stay.
    package var keptRowCountMax = 1_000_000
    /// How many rows are written before the ledger looks for some that it need not keep.
    package var trimmedRowCount = 65_536
    /// For how long records are kept, back from the newest.
    package var keptAgeMax = Duration.seconds(30 * 24 * 3_600)
    /// For how long usage is kept by the minute, back from the newest record; before that it is kept by the hour.
    var minuteCountMax: Int64 = 7 * 24 * 60

    /// Creates the limits of the emulator.
    package init() {}
}
