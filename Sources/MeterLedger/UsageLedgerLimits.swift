// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// When a ledger writes, and how much it holds.
package struct UsageLedgerLimits: Hashable, Sendable {
    /// The number of waiting records that makes the ledger write at once.
    ///
    /// So many that alike ones meet: they take one row, which is most of what they cost.
    package static let flushRecordCountDefault = 8_192
    /// How long a record waits at most before it is written.
    package static let flushIntervalDefault: Duration = .milliseconds(100)
    /// The most records that wait; one more makes its caller wait for a write.
    package static let waitingRecordCountMaxDefault = 65_536

    /// The number of waiting records that makes the ledger write at once.
    package var flushRecordCount: Int
    /// How long a record waits at most before it is written.
    package var flushInterval: Duration
    /// The most records that wait; one more makes its caller wait for a write.
    package var waitingRecordCountMax: Int

    /// Creates limits.
    package init(
        flushRecordCount: Int = Self.flushRecordCountDefault,
        flushInterval: Duration = Self.flushIntervalDefault,
        waitingRecordCountMax: Int = Self.waitingRecordCountMaxDefault
    ) {
        precondition(flushRecordCount > 0, "the flush count must be positive (is \(flushRecordCount))")
        precondition(waitingRecordCountMax > 0, "the buffer must hold a record (holds \(waitingRecordCountMax))")
        self.flushRecordCount = flushRecordCount
        self.flushInterval = flushInterval
        self.waitingRecordCountMax = waitingRecordCountMax
    }
}
