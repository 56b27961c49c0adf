// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Imaging
import SessionLog
import Testing

/// A cell's image while the cell is reused.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ImageSlotTests {
    private static let size = PixelSize(width: 20, height: 20)

    /// The widths that a slot showed, `-` for nothing and the status of what failed.
    @MainActor private final class Screen {
        private(set) var shown: [String] = []
        private var waiting: (count: Int, CheckedContinuation<Void, Never>)?

        func show(_ content: ImageSlot.Content) {
            switch content {
            case .empty: shown.append("-")
            case .image(let image): shown.append("\(image.pixelWidth)")
            case .failed(let error): shown.append("\(error.status ?? 0)")
            }
            if let (count, continuation) = waiting, shown.count >= count {
                waiting = nil
                continuation.resume()
            }
        }

        func wait(forCount count: Int) async {
            guard shown.count < count else { return }
            await withCheckedContinuation { waiting = (count, $0) }
        }
    }

    private func makeSlot(_ transport: any HTTPTransport, _ screen: Screen) throws -> (ImageSlot, DecodedImageCache) {
        let pipeline = try ImagePipeline(storage: FakeFeed.endpoint.storage, transport: transport)
        let images = DecodedImageCache(pipeline: pipeline)
        return (ImageSlot(images) { screen.show($0) }, images)
    }

    private let objects = FakeObjects(["o/f/0": .init(data: photo(red: 1)), "o/f/1": .init(data: photo(red: 2))])

    @Test func `is empty until the image comes, and shows at once what is decoded`() async throws {
        let screen = Screen()
        let (slot, images) = try makeSlot(objects, screen)
        slot.show(reference("f", 0), covering: Self.size)
        #expect(screen.shown == ["-"])
        await screen.wait(forCount: 2)
        slot.show(reference("f", 0), covering: Self.size)
        slot.clear()
        slot.show(reference("f", 0), covering: Self.size)
        #expect(screen.shown == ["-", "27", "-", "27"])
        #expect(images.statistics.decodes == 1)
    }

    @Test func `shows the newest alone, and cancels what is no longer wanted`() async throws {
        let screen = Screen()
        let gate = GatedTransport(objects)
        let (slot, images) = try makeSlot(gate, screen)
        slot.show(reference("f", 0), covering: Self.size)
        try await gate.wait { $0.held == 1 }
        slot.show(reference("f", 1), covering: Self.size)
        try await gate.wait { $0.cancelled == 1 }
        try await gate.wait { $0.held == 1 }
        await gate.release()
        await screen.wait(forCount: 3)
        #expect(screen.shown == ["-", "-", "27"])
        #expect(images.statistics.decodes == 1)
        #expect(images.decodedImage(for: reference("f", 1), covering: Self.size) != nil)
    }

    @Test func `cancels when it is gone`() async throws {
        let screen = Screen()
        let gate = GatedTransport(objects)
        do {
            let (slot, _) = try makeSlot(gate, screen)
            slot.show(reference("f", 0), covering: Self.size)
            try await gate.wait { $0.held == 1 }
        }
        try await gate.wait { $0.cancelled == 1 }
        #expect(screen.shown == ["-"])
    }

    @Test func `says what failed, and tries it again`() async throws {
        let screen = Screen()
        let (slot, _) = try makeSlot(objects, screen)
        for count in [2, 4] {
            slot.show(reference("g", 0), covering: Self.size)
            await screen.wait(forCount: count)
        }
        #expect(screen.shown == ["-", "404", "-", "404"])
    }

    @Test func `clears for a post without an image`() async throws {
        let screen = Screen()
        let (slot, _) = try makeSlot(objects, screen)
        slot.show(reference("f", 0), covering: Self.size)
        await screen.wait(forCount: 2)
        slot.show(nil, covering: Self.size)
        #expect(screen.shown == ["-", "27", "-"])
    }
}
