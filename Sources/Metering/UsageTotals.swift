// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A sum of usage records; every breakdown adds up exactly to the total.
public struct UsageTotals: Sendable, Hashable {
    /// The number of requests.
    public var requests: Int64
    /// Bytes from clients.
    public var received: TransferredBytes
    /// Bytes to clients.
    public var sent: TransferredBytes
    /// What the price rules count.
    public var billed: BilledUsage

    /// The sum of no records.
    public static let zero = Self(requests: 0, received: .zero, sent: .zero, billed: .zero)

    /// Creates a sum.
    public init(requests: Int64, received: TransferredBytes, sent: TransferredBytes, billed: BilledUsage) {
        self.requests = requests
        self.received = received
        self.sent = sent
        self.billed = billed
    }

    /// Adds a record.
    public mutating func add(_ record: UsageRecord) {
        requests += record.requestCount
        received = received + record.received
        sent = sent + record.sent
        billed = billed + record.billed
    }
}
