// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import TestSupport
import Testing

@Suite struct EdgeDividersTests {
    @Test(
        arguments: [
            (1, 1, [[]]), (1, 3, [[]]), (3, 1, [.bottom, .bottom, []]), (2, 2, [.trailing, []]),
            (4, 2, [[.trailing, .bottom], .bottom, .trailing, []]),
            // The last row is not full: no divider leads to an empty place.
            (5, 3, [[.trailing, .bottom], [.trailing, .bottom], [], .trailing, []]),
        ] as [(Int, Int, [EdgeDividers])]
    )
    func `a cell of a grid has dividers before the next column and row`(
        count: Int,
        columnCount: Int,
        expected: [EdgeDividers]
    ) {
        #expect((0..<count).map { EdgeDividers(index: $0, count: count, columnCount: columnCount) } == expected)
    }

    @Test(arguments: 1...4, [0, 6] as [CGFloat])
    func `equal cells of a waterfall are a grid`(columnCount: Int, spacing: CGFloat) {
        let layout = WaterfallLayout(width: 400, columnCount: columnCount, spacing: spacing)
        for count in 0...13 {
            let frames = layout.frames(heights: Array(repeating: 50, count: count), below: 20)
            let grid = (0..<count).map { EdgeDividers(index: $0, count: count, columnCount: columnCount) }
            #expect(EdgeDividers.between(frames) == grid)
        }
    }

    @Test func `cells of a waterfall have dividers where another cell is beyond their edge`() {
        // 100 high on the left; 50, 30 and 70 on the right; 10 at the left again, where the right column still is.
        let frames = WaterfallLayout(width: 208).frames(heights: [100, 50, 30, 70, 10])
        #expect(
            EdgeDividers.between(frames) == [[.trailing, .bottom], .bottom, .bottom, [], .trailing]
        )
        // There is nothing beside the last one, which is alone in its row.
        #expect(EdgeDividers.between(WaterfallLayout(width: 208).frames(heights: [50, 50, 30])).last == [])
    }

    @Test(arguments: [1, 2, 3])
    func `lines are in the space between cells, each drawn once`(columnCount: Int) {
        var generator = SeededGenerator(seed: 9)
        let heights = (0..<60).map { _ in CGFloat.random(in: 20...300, using: &generator) }
        let frames = WaterfallLayout(width: 400, columnCount: columnCount, spacing: 9).frames(heights: heights)
        let lines = zip(frames, EdgeDividers.between(frames)).flatMap { $1.lines(around: $0, spacing: 9, thickness: 1) }
        #expect(lines.count > 40)
        for (index, line) in lines.enumerated() {
            #expect(frames.allSatisfy { !$0.intersects(line) })
            #expect(lines[..<index].allSatisfy { !$0.intersects(line) })
        }
        let cell = CGRect(x: 10, y: 20, width: 100, height: 50)
        #expect(
            EdgeDividers([.trailing, .bottom]).lines(around: cell, spacing: 9, thickness: 1) == [
                CGRect(x: 114, y: 20, width: 1, height: 50), CGRect(x: 10, y: 74, width: 100, height: 1),
            ]
        )
    }
}
