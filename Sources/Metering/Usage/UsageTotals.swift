// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A sum of usage records; every breakdown adds up exactly to the total.
public struct UsageTotals: Sendable, Hashable, Codable {
    /// The number of requests.
    public var requests: Int64
    /// Bytes from clients.
    public var received: TransferredBytes
    /// Bytes to clients.
    public var sent: TransferredBytes
    /// The billed usage.
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
    public mutating func add(_ record: UsageRecord) { add(Self(record.content)) }

    /// Adds a sum.
    public mutating func add(_ other: Self) {
        requests += other.requests
        received = received + other.received
        sent = sent + other.sent
        billed = billed + other.billed
    }

    /// The rest of a sum without a part of it.
    public static func - (whole: Self, part: Self) -> Self {
        Self(
            requests: whole.requests - part.requests,
            received: whole.received + part.received * -1,
            sent: whole.sent + part.sent * -1,
            billed: whole.billed + part.billed * -1
        )
    }

    /// The sum of several records that say the same but for their times.
    public init(_ content: UsageRecord.Content, count: Int64 = 1) {
        requests = content.requestCount * count
        received = content.received * count
        sent = content.sent * count
        billed = content.billed * count
    }
}
