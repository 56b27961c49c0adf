// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import TestSupport
import Testing

@Suite struct LayoutTests {
    @Test(
        arguments: [
            (1_080, 1_350, 100.0, 125.0), (1_000, 1_000, 90, 90), (100, 1_000, 50, 150), (4_000, 100, 200, 50),
            (0, 0, 80, 80),
        ]
    )
    func `shows an image as high as its pixels say, within bounds`(
        pixelWidth: Int,
        pixelHeight: Int,
        width: CGFloat,
        height: CGFloat
    ) {
        #expect(AspectRule().height(width: width, pixelWidth: pixelWidth, pixelHeight: pixelHeight) == height)
    }

    @Test func `puts each cell under the shortest column`() {
        let layout = WaterfallLayout(width: 208)
        let frames = layout.frames(heights: [100, 50, 30, 70, 10], below: 20)
        #expect(layout.columnWidth == 100)
        #expect(
            frames == [
                CGRect(x: 0, y: 20, width: 100, height: 100), CGRect(x: 108, y: 20, width: 100, height: 50),
                CGRect(x: 108, y: 78, width: 100, height: 30), CGRect(x: 108, y: 116, width: 100, height: 70),
                CGRect(x: 0, y: 128, width: 100, height: 10),
            ]
        )
        #expect(layout.frames(heights: []).isEmpty)
    }

    @Test(arguments: [1, 2, 3, 4])
    func `never lets cells overlap, and keeps columns even`(columnCount: Int) {
        var generator = SeededGenerator(seed: 5)
        let heights = (0..<200).map { _ in CGFloat.random(in: 20...300, using: &generator) }
        let layout = WaterfallLayout(width: 400, columnCount: columnCount, spacing: 6)
        let frames = layout.frames(heights: heights)
        #expect(frames.map(\.height) == heights)
        for (index, frame) in frames.enumerated() {
            #expect(frame.maxX <= 400.001)
            #expect(frames[..<index].allSatisfy { !$0.intersects(frame) })
        }
        let bottoms = Dictionary(grouping: frames, by: \.minX).mapValues { $0.map(\.maxY).max() ?? 0 }.values
        #expect((bottoms.max() ?? 0) - (bottoms.min() ?? 0) <= 306)
    }

    @Test(arguments: ThumbnailCount.allCases)
    func `fills a cell with its thumbnails, without overlap`(count: ThumbnailCount) {
        let frames = count.normalizedFrames
        #expect(frames.count == count.rawValue)
        let areas: [CGFloat] = frames.map { $0.width * $0.height }
        #expect(abs(areas.reduce(0, +) - 1) < 1e-9)
        let cell = CGRect(x: 0, y: 0, width: 1.000001, height: 1.000001)
        for (index, frame) in frames.enumerated() {
            #expect(cell.contains(frame))
            for other in frames[..<index] {
                let common = other.intersection(frame)
                #expect(common.width * common.height < 1e-9)
            }
        }
    }

    @Test func `leaves space between thumbnails and none around them`() {
        #expect(
            ThumbnailCount.three.frames(in: CGSize(width: 200, height: 100), spacing: 4) == [
                CGRect(x: 0, y: 0, width: 98, height: 100), CGRect(x: 102, y: 0, width: 98, height: 48),
                CGRect(x: 102, y: 52, width: 98, height: 48),
            ]
        )
    }

    @Test(arguments: [(0, nil), (-1, nil), (1, .one), (4, .four), (5, .five), (12, ThumbnailCount.five)])
    func `shows five thumbnails at most`(imageCount: Int, expected: ThumbnailCount?) {
        #expect(ThumbnailCount(imageCount: imageCount) == expected)
    }

    @Test(arguments: [(-1, ThumbnailCount.one), (0, .one), (1, .one), (3, .three), (5, .five), (12, .five)])
    func `has a layout for any number of images`(imageCount: Int, expected: ThumbnailCount) {
        #expect(ThumbnailCount(clamping: imageCount) == expected)
    }
}
