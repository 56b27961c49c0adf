// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Imaging
import SessionLog
import Testing

@Suite(.timeLimit(.minutes(5))) struct DecodedImageCacheTests {
    private let objects = FakeObjects([
        "o/f/0": .init(data: photo(red: 10)), "o/f/1": .init(data: Data("no image".utf8)),
    ])
    private let size = PixelSize(width: 20, height: 20)

    private func makeCache(byteCountMax: Int = 1 << 20) throws -> DecodedImageCache {
        let storage = FakeFeed.endpoint.storage
        return DecodedImageCache(
            pipeline: try ImagePipeline(storage: storage, transport: objects),
            byteCountMax: byteCountMax
        )
    }

    /// Hits, decodes and joined.
    private func counts(_ cache: DecodedImageCache) -> [Int] {
        [cache.statistics.hits, cache.statistics.decodes, cache.statistics.joined]
    }

    @Test func `decodes once for each size, whatever is scrolled back`() async throws {
        let cache = try makeCache()
        #expect(cache.decodedImage(for: reference("f", 0), covering: size) == nil)
        for _ in 0..<3 {
            let image = try await cache.image(for: reference("f", 0), covering: size)
            #expect((image.pixelWidth, image.pixelHeight) == (27, 20))
        }
        #expect(cache.decodedImage(for: reference("f", 0), covering: size)?.pixelWidth == 27)
        _ = try await cache.image(for: reference("f", 0), covering: PixelSize(width: 40, height: 30))
        #expect(counts(cache) == [3, 2, 0])
        #expect(cache.byteCount == (27 * 20 + 40 * 30) * 3)
        #expect(objects.requests.count == 1)
    }

    @Test func `decodes once for many that ask at the same time`() async throws {
        let cache = try makeCache()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { try await cache.image(for: reference("f", 0), covering: size).pixelWidth }
            }
            for try await width in group { #expect(width == 27) }
        }
        let statistics = cache.statistics
        #expect(statistics.decodes == 1 && statistics.hits + statistics.joined == 19)
    }

    @Test func `keeps no more bytes of pixels than it may, and nothing after a memory warning`() async throws {
        let cache = try makeCache(byteCountMax: 27 * 20 * 3)
        _ = try await cache.image(for: reference("f", 0), covering: size)
        _ = try await cache.image(for: reference("f", 0), covering: PixelSize(width: 40, height: 30))
        #expect(cache.byteCount == 27 * 20 * 3)
        cache.removeAll()
        #expect(cache.byteCount == 0)
        _ = try await cache.image(for: reference("f", 0), covering: size)
        #expect(cache.statistics.decodes == 3)
        #expect(objects.requests.count == 1)
    }

    @Test func `an image without a generation is decoded again when its server has another`() async throws {
        let cache = try makeCache()
        let unversioned = reference("f", generation: nil)
        for _ in 0..<2 { #expect(try await cache.image(for: unversioned, covering: size).rgb[0] < 40) }
        #expect(cache.decodedImage(for: unversioned, covering: size) == nil)
        objects.put(.init(data: photo(red: 200), generation: 2), at: "o/f/0")
        #expect(try await cache.image(for: unversioned, covering: size).rgb[0] > 160)
        #expect(counts(cache) == [1, 2, 0])
    }

    @Test func `what cannot be had or decoded is an error, and is tried again`() async throws {
        let cache = try makeCache()
        for _ in 0..<2 {
            let error = await #expect(throws: FeedError.self) {
                try await cache.image(for: reference("f", 1), covering: size)
            }
            #expect(error?.code == .undecodable && error?.cause is ImagingError)
            let missing = await #expect(throws: FeedError.self) {
                try await cache.image(for: reference("g", 0), covering: size)
            }
            #expect(missing?.status == 404)
        }
        #expect(counts(cache) == [0, 0, 0])
    }
}

/// A JPEG of 80x60 pixels of one color.
func photo(red: UInt8) -> Data {
    let bytes = [UInt8]((0..<80 * 60 * 3).map { $0 % 3 == 0 ? red : 0 })
    guard let data = try? JPEGEncoder.encode(PixelBuffer(width: 80, height: 60, bytes: bytes), quality: 90) else {
        preconditionFailure("a small picture can be encoded")
    }
    return Data(data)
}
