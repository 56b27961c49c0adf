// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Imaging
import SessionLog
import Testing

@Suite(.timeLimit(.minutes(5))) struct ConcurrentMapTests {
    private struct Failure: Error {}

    @Test func `keeps the order and skips failures`() async throws {
        let results = try await Array(0..<50).concurrentCompactMap(concurrencyMax: 7) { number -> Int? in
            for _ in 0..<(50 - number) { await Task.yield() }
            if number % 10 == 3 { throw Failure() }
            return number % 10 == 7 ? nil : number
        }
        #expect(results == (0..<50).filter { $0 % 10 != 3 && $0 % 10 != 7 })
    }

    @Test func `works on no more than so many at a time`() async throws {
        let running = Locked((now: 0, most: 0))
        _ = try await Array(0..<40).concurrentCompactMap(concurrencyMax: 3) { number -> Int? in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<20 { await Task.yield() }
            running.withLock { $0.now -= 1 }
            return number
        }
        #expect(running.withLock { $0.most } <= 3)
    }

    @Test func `ends when it is cancelled, without results`() async throws {
        let gate = GatedTransport(FakeFeed())
        let pipeline = try ImagePipeline(storage: FakeFeed.endpoint.storage, transport: gate)
        let posters = Task { try await pipeline.posters(for: (0..<20).map { reference("f\($0)") }) }
        try await gate.wait { $0.held > 0 }
        posters.cancel()
        await #expect(throws: CancellationError.self) { try await posters.value }
    }

    @Test func `makes posters of the images that come and can be decoded`() async throws {
        let objects = FakeObjects()
        let colors: [(String, RGBColor)] = [
            ("red", RGBColor(red: 200, green: 16, blue: 24)), ("blue", RGBColor(red: 16, green: 40, blue: 200)),
        ]
        for (name, color) in colors {
            let pixels = PixelBuffer(
                width: 40,
                height: 30,
                bytes: (0..<1_200).flatMap { _ in [color.red, color.green, color.blue] }
            )
            objects.put(.init(data: Data(try JPEGEncoder.encode(pixels, quality: 95))), at: "o/\(name)/0")
        }
        objects.put(.init(data: Data("no image".utf8)), at: "o/text/0")
        let pipeline = try ImagePipeline(storage: FakeFeed.endpoint.storage, transport: objects)
        let references = ["red", "gone", "text", "blue"].map { reference($0) }
        let posters = try await pipeline.posters(for: references)
        #expect(posters.map(\.reference) == [references[0], references[3]])
        #expect(posters[0].dominantColor.red > 190 && posters[1].dominantColor.blue > 190)
        #expect(posters[0].backgroundColor == posters[0].dominantColor.background)
    }
}
