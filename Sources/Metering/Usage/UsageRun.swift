// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Records that say the same but for their times.
public struct UsageRun: Sendable {
    /// The times of a record, see ``UsageRecord``.
    public struct Times: Sendable, Hashable {
        /// Microseconds since the Unix epoch at which it began.
        public let startMicroseconds: Int64
        /// Microseconds that it took.
        public let durationMicroseconds: Int64

        /// Creates times.
        public init(startMicroseconds: Int64, durationMicroseconds: Int64) {
            self.startMicroseconds = startMicroseconds
            self.durationMicroseconds = durationMicroseconds
        }
    }

    /// The first of them.
    public let first: UsageRecord
    /// The times of all but the first.
    public private(set) var laterTimes: [Times] = []

    /// Begins with one record.
    public init(_ first: UsageRecord) {
        self.first = first
    }

    /// How many there are.
    public var count: Int { laterTimes.count + 1 }

    /// Adds another that says the same.
    public mutating func append(_ times: Times) { laterTimes.append(times) }

    /// Each of the records.
    public var records: [UsageRecord] { [first] + laterTimes.map(first.at) }
}

extension UsageRecord {
    /// The times of the record.
    package var times: UsageRun.Times {
        UsageRun.Times(startMicroseconds: startMicroseconds, durationMicroseconds: durationMicroseconds)
    }

    /// The same record at other times.
    package func at(_ times: UsageRun.Times) -> UsageRecord {
        var record = self
        record.startMicroseconds = times.startMicroseconds
        record.durationMicroseconds = times.durationMicroseconds
        return record
    }
}
