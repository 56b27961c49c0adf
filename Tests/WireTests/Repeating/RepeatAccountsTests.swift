// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

@testable import Wire

struct RepeatAccountsTests {
    private struct RunSink: UsageRecording {
        let runs = NIOLockedValueBox<[UsageRun]>([])

        func record(_ record: UsageRecord) { self.record(UsageRun(record)) }
        func record(_ run: UsageRun) { runs.withLockedValue { $0.append(run) } }
    }

    private static func times(_ start: Int64) -> UsageRun.Times {
        UsageRun.Times(startMicroseconds: start, durationMicroseconds: 2 * start)
    }

    /// The records of answers added in turn.
    private static func runs(_ objects: [String], flushing: Bool) async throws -> [UsageRun] {
        let (sink, loop) = (RunSink(), MultiThreadedEventLoopGroup.singleton.any())
        let answers = Dictionary(uniqueKeysWithValues: Set(objects).map { ($0, KeptAnswer.download(of: $0)) })
        // In one turn of the loop, which other tests use as well.
        try await loop.submit {
            let accounts = RepeatAccounts.of(loop)
            accounts.flush()
            for (index, object) in objects.enumerated() {
                guard let answer = answers[object] else { continue }
                let times = times(Int64(index))
                if !accounts.extend(ObjectIdentifier(answer), times: times) {
                    accounts.begin(answer, times: times, sink: sink)
                }
            }
            if flushing { accounts.flush() }
        }
        .get()
        return sink.runs.withLockedValue { $0 }
    }

    @Test func `records of one answer come together, with the times of each`() async throws {
        let runs = try await Self.runs(["a", "a", "a", "b", "a"], flushing: true)
        #expect(runs.map(\.count) == [3, 1, 1])
        #expect(runs.map(\.first.attribution.object) == ["a", "b", "a"])
        #expect(runs[0].records.map(\.startMicroseconds) == [0, 1, 2])
        #expect(runs[0].records.map(\.durationMicroseconds) == [0, 2, 4])
        #expect(runs[0].records.allSatisfy { $0.sent == TransferredBytes(header: 100, body: 1_000, wire: 1_100) })
    }

    @Test func `so many come at once, whether somebody asks or not`() async throws {
        let objects = Array(repeating: "a", count: 2 * RepeatAccounts.countMax + 1)
        #expect(try await Self.runs(objects, flushing: false).map(\.count).prefix(2) == [4_096, 4_096])
    }
}
