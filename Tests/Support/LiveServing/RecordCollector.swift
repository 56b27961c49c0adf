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
    ///
    /// - Throws: `CancellationError` where the test has run out of time: the stream gives nothing to its task then, and a
    ///   test that waits until records add up would go round for ever.
    package func next(_ count: Int) async throws -> [UsageRecord] {
        var records: [UsageRecord] = []
        for await record in stream {
            records.append(record)
            if records.count == count { break }
        }
        try Task.checkCancellation()
        return records
    }
}
