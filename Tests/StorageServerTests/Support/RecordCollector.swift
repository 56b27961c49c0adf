// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// Hands out the records of a server as they come.
struct RecordCollector: UsageRecording {
    private let stream: AsyncStream<UsageRecord>
    private let continuation: AsyncStream<UsageRecord>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func record(_ record: UsageRecord) { continuation.yield(record) }

    /// Waits for that many records.
    func next(_ count: Int) async -> [UsageRecord] {
        var records: [UsageRecord] = []
        for await record in stream {
            records.append(record)
            if records.count == count { break }
        }
        return records
    }
}
