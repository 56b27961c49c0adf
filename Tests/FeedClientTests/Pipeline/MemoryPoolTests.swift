// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Testing

@Suite(.timeLimit(.minutes(5))) struct MemoryPoolTests {
    /// Thumbnails have 10 bytes, full images 100.
    @Test(arguments: [(nil, ["b/o/c/2#1", "b/o/c/3#1"]), (200, ["b/o/a/0#1", "b/o/b/0#1", "b/o/c/2#1", "b/o/c/3#1"])])
    func `does not let full images drive out thumbnails`(fullByteCountMax: Int?, keys: [String]) async throws {
        let pipeline = try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: FakeFeed(),
            configuration: .init(memory: .init(byteCountMax: 200, fullByteCountMax: fullByteCountMax))
        )
        _ = await pipeline.images(for: [reference("a"), reference("b")]).results()
        _ = await pipeline.images(for: (1...3).map { reference("c", $0) }).results()
        #expect(await pipeline.memoryKeys == keys)
    }

    @Test func `finds an image that was loaded for another purpose`() async throws {
        let counting = CountingTransport(FakeFeed())
        let pipeline = try ImagePipeline(
            storage: FakeFeed.endpoint.storage,
            transport: counting,
            configuration: .init(memory: .init(byteCountMax: 200, fullByteCountMax: 200))
        )
        let location = ImageReference.Location.url(fakeURL("http://other.test/x/0"))
        for role in ImageReference.Role.allCases {
            _ = try await pipeline.image(for: ImageReference(location, role: role, generation: 1))
        }
        #expect(counting.counts.requests == 1)
    }
}
