// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog
import Testing

@Suite(.timeLimit(.minutes(5))) struct DataGuardTests {
    private func makePipeline(_ dataGuard: any DataGuard) throws -> ImagePipeline {
        try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: FakeFeed(),
            configuration: .init(dataGuard: dataGuard)
        )
    }

    @Test func `loads thumbnails only once so much of the quota is used`() async throws {
        let share = Locked(0.69)
        let pipeline = try makePipeline(QuotaGuard { share.withLock { $0 } })
        _ = try await pipeline.image(for: reference("before", 1))
        share.withLock { $0 = 0.7 }
        _ = try await pipeline.image(for: reference("a", 0))
        _ = try await pipeline.image(for: reference("before", 1))
        let error = await #expect(throws: FeedError.self) { try await pipeline.image(for: reference("a", 1)) }
        #expect(error?.code == .withheld)
        let reason = "70 % of today's download quota is used; from 70 % on thumbnails only"
        #expect(error?.message == "o/a/1: not loaded: \(reason)")
        #expect(await pipeline.statistics.withheld == 1)
        #expect(await pipeline.statistics.requests == 4)
        share.withLock { $0 = 0 }
        _ = try await pipeline.image(for: reference("a", 1))
    }

    @Test func `prefetches nothing in low data mode`() async throws {
        let pipeline = try makePipeline(LowDataGuard { true })
        let prefetched = await pipeline.images(for: [reference("a")], priority: .prefetch).results()
        #expect(throws: FeedError.self) { try prefetched[0].get() }
        _ = try await pipeline.image(for: reference("a"))
    }

    @Test func `survives a share of a quota of nothing`() async throws {
        let pipeline = try makePipeline(QuotaGuard { .infinity })
        let error = await #expect(throws: FeedError.self) { try await pipeline.image(for: reference("a", 1)) }
        #expect(error?.code == .withheld)
    }

    @Test func `asks when a load begins, not when it is asked for`() async throws {
        let isLowData = Locked(false)
        let gate = GatedTransport(FakeFeed())
        let pipeline = try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: gate,
            configuration: .init(concurrentLoadCountMax: 1, dataGuard: LowDataGuard { isLowData.withLock { $0 } })
        )
        let stream = await pipeline.images(for: [reference("a", 1), reference("b", 1), reference("c", 0)])
        try await gate.wait { $0.held == 1 }
        isLowData.withLock { $0 = true }
        await gate.release()
        try await gate.wait { $0.arrived == 2 && $0.held == 1 }
        await gate.release()
        #expect(await stream.results().map { (try? $0.get()) != nil } == [true, false, true])
    }

    @Test(arguments: [(false, 0.0, true), (true, 0.0, false), (false, 0.9, false), (true, 0.9, false)])
    func `asks several guards`(isLowData: Bool, usedShare: Double, isLoaded: Bool) async throws {
        let pipeline = try makePipeline(DataGuards([LowDataGuard { isLowData }, QuotaGuard { usedShare }]))
        let result = await pipeline.images(for: [reference("a", 1)]).results()[0]
        #expect(((try? result.get()) != nil) == isLoaded)
    }
}
