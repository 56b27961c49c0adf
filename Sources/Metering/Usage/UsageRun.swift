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
    /// How many there are.
    public private(set) var count = 1
    /// The times of all but the first.
    private var laterTimes: PackedTimes

    /// Begins with one record.
    public init(_ first: UsageRecord) {
        self.first = first
        laterTimes = PackedTimes(after: first.times)
    }

    /// Adds another that says the same; returns `false`, and takes nothing, when its times lie too far from those before.
    public mutating func append(_ times: Times) -> Bool {
        guard laterTimes.append(times) else { return false }
        count += 1
        return true
    }

    /// Each of the records.
    public var records: [UsageRecord] { [first] + laterTimes.times(after: first.times).map(first.at) }
}

extension UsageRun {
    /// The times of all but the first, as bytes of unnamed form.
    package var packedTimes: [UInt8] { laterTimes.bytes }

    /// Takes what was packed; `nil` where the bytes are not `count` times.
    package init?(_ first: UsageRecord, count: Int, packedTimes: [UInt8]) {
        guard let times = PackedTimes(packedTimes, after: first.times, count: count - 1) else { return nil }
        self.first = first
        self.count = count
        laterTimes = times
    }

    /// Adds others that say the same; returns `false`, and takes none, when their times lie too far from those before.
    package mutating func append(_ others: UsageRun) -> Bool {
        guard laterTimes.append(others.first.times, others.laterTimes) else { return false }
        count += others.count
        return true
    }
}

extension UsageRecord {
    /// The times of the record.
    package var times: UsageRun.Times {
        UsageRun.Times(startMicroseconds: startMicroseconds, durationMicroseconds: durationMicroseconds)
    }

    /// The record at other times.
    package func at(_ times: UsageRun.Times) -> UsageRecord {
        var record = self
        record.startMicroseconds = times.startMicroseconds
        record.durationMicroseconds = times.durationMicroseconds
        return record
    }
}
