// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Testing

@Suite struct PostCellTests {
    private class Cell {
        var isHighlighted = false
    }

    private final class CaptionCell: Cell, InfoConfiguring, EdgeDividing {
        var text = ""
        var dividers: EdgeDividers = []
        func configure(with info: PostInfo?) {
            text = info.map { "\($0.post.title) (\($0.thumbnailCount.rawValue))" } ?? ""
        }
    }

    private final class CountingCell: InfoConfiguring {
        var count = 0
        func configure(with info: PostInfo?) { count = info?.thumbnails.count ?? 0 }
    }

    private func makeInfo() throws -> PostInfo {
        let post = FeedPost(
            id: "p",
            ownerID: "u",
            feedID: "p",
            title: "Seven",
            likes: 1,
            createdAt: .distantPast,
            images: (0..<7).map { FeedImage(index: $0, pixelWidth: 10, pixelHeight: 10) }
        )
        return try #require(PostInfo(post, in: "b"))
    }

    @Test func `configures cells of any class alike, and clears them`() throws {
        let info = try makeInfo()
        #expect(info.thumbnails.map(\.role) == [.thumbnail, .full, .full, .full, .full])
        let (caption, counting) = (CaptionCell(), CountingCell())
        let cells: [any InfoConfiguring<PostInfo>] = [caption, counting]
        for cell in cells { cell.configure(with: info) }
        #expect(caption.text == "Seven (5)" && counting.count == 5)
        for cell in cells { cell.configure(with: nil) }
        #expect(caption.text.isEmpty && counting.count == 0)
    }

    @Test func `composes with the class of a platform's cell and with dividers`() throws {
        let caption = CaptionCell()
        let cell: any Cell & InfoConfiguring<PostInfo> & EdgeDividing = caption
        cell.configure(with: try makeInfo())
        cell.dividers = [.bottom]
        cell.isHighlighted = true
        #expect(caption.text == "Seven (5)" && caption.dividers == .bottom && caption.isHighlighted)
    }

    @Test func `makes the cell of each number of thumbnails`() {
        let factory = PostCellFactory(one: { 1 }, two: { 2 }, three: { 3 }, four: { 4 }, five: { 5 })
        #expect(ThumbnailCount.allCases.map { factory.makeCell(for: $0) } == [1, 2, 3, 4, 5])
    }
}
