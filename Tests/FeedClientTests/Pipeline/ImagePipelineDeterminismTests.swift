// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import TestSupport
import Testing

/// Responses released in many orders must lead to the same statistics and the same cache contents.
@Suite(.timeLimit(.minutes(5))) struct ImagePipelineDeterminismTests {
    private struct Outcome: Equatable {
        var statistics: [PipelineStatistics] = []
        var memoryKeys: [[String]] = []
        var diskNames: [[String]] = []
        var byteCounts: [[Int?]] = []
    }

    /// Repeats within a batch, returns to earlier images, failures, and images of 10 and 100 bytes.
    private static let batches: [[ImageReference]] = {
        var generator = SeededGenerator(seed: 7)
        return (0..<12).map { _ in
            (0..<30).map { _ in
                let feed = Int.random(in: 0..<30, using: &generator)
                return reference("f\(feed)", feed % 3 == 0 ? 1 : 0)
            }
        }
    }()

    private static let missing: Set<String> = ["o/f1/0", "o/f2/0"]

    /// Runs the batches one after the other; without a seed the responses come in the order of the requests.
    private func run(
        seed: UInt64?,
        loadCounts: [Int]?,
        joins: Bool,
        _ policy: CachePolicyChoice
    ) async throws -> Outcome {
        let directory = TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let gate = GatedTransport(FakeFeed(missing: Self.missing))
        let disk = ImagePipeline.Configuration.Disk(directory: directory.url, byteCountMax: 1_010, policy: policy)
        let pipeline = try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: seed == nil ? FakeFeed(missing: Self.missing) : gate,
            configuration: .init(
                memory: .init(byteCountMax: 600, policy: policy),
                disk: disk,
                joinsRequests: joins,
                concurrentLoadCountMax: 5
            )
        )
        var generator = SeededGenerator(seed: seed ?? 0)
        var outcome = Outcome()
        for (number, batch) in Self.batches.enumerated() {
            let stream = await pipeline.images(for: batch)
            for released in 0..<(loadCounts?[number] ?? 0) {
                let expectedHeldCount = min(5, (loadCounts?[number] ?? 0) - released)
                try await gate.wait { $0.held == expectedHeldCount }
                await gate.release(Int.random(in: 0..<expectedHeldCount, using: &generator))
            }
            outcome.byteCounts.append(await stream.results().map { (try? $0.get())?.count })
            outcome.statistics.append(await pipeline.statistics)
            outcome.memoryKeys.append(await pipeline.memoryKeys)
            outcome.diskNames.append(try directory.files().map(\.lastPathComponent))
        }
        return outcome
    }

    @Test(arguments: [true, false], CachePolicyChoice.all)
    func `does not depend on which response comes first`(joins: Bool, policy: CachePolicyChoice) async throws {
        let counting = CountingTransport(FakeFeed(missing: Self.missing))
        let expected = try await run(seed: nil, loadCounts: nil, joins: joins, policy)
        let loadCounts = try await countLoads(over: counting, joins: joins, policy)
        for seed in 1...8 as ClosedRange<UInt64> {
            let outcome = try await run(seed: seed, loadCounts: loadCounts, joins: joins, policy)
            #expect(outcome == expected, "seed \(seed)")
        }
        let last = try #require(expected.statistics.last)
        #expect(last.requests == 360)
        #expect(last.memoryHits > 0 && last.diskHits > 0 && last.networkLoads > 0 && last.failures > 0)
        #expect((last.joined > 0) == joins)
    }

    /// The requests of each batch, so that the gate knows how many to wait for.
    private func countLoads(
        over counting: CountingTransport,
        joins: Bool,
        _ policy: CachePolicyChoice
    ) async throws -> [Int] {
        let directory = TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let disk = ImagePipeline.Configuration.Disk(directory: directory.url, byteCountMax: 1_010, policy: policy)
        let pipeline = try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: counting,
            configuration: .init(
                memory: .init(byteCountMax: 600, policy: policy),
                disk: disk,
                joinsRequests: joins,
                concurrentLoadCountMax: 5
            )
        )
        var counts: [Int] = []
        for batch in Self.batches {
            let before = counting.counts.requests
            _ = await pipeline.images(for: batch).results()
            counts.append(counting.counts.requests - before)
        }
        return counts
    }
}
