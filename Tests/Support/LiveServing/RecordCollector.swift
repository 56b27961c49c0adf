// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

/// Hands out the records of a server as they come.
package struct RecordCollector: UsageRecording {
    private let stream: AsyncStream<UsageRecord>
    private let continuation: AsyncStream<UsageRecord>.Continuation

    /// Creates a collector without records.
    package init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    package func record(_ record: UsageRecord) { continuation.yield(record) }

    /// Waits for that many records.
    package func next(_ count: Int) async -> [UsageRecord] {
        var records: [UsageRecord] = []
        for await record in stream {
            records.append(record)
            if records.count == count { break }
        }
        return records
    }
}
