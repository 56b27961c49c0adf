// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
package import Foundation

// The code of the article "One cell, five layouts"; what a platform's views have is in PlatformViews.swift.

/// A cell, without a primary associated type.
package protocol PlainConfiguring {
    associatedtype Info
    mutating func configure(with info: Info)
}

package func configure<Cell: PlainConfiguring>(_ cells: inout [Cell], with posts: [FeedPost], in bucket: String)
where Cell.Info == PostInfo {
    for (index, post) in zip(cells.indices, posts) {
        if let info = PostInfo(post, in: bucket) { cells[index].configure(with: info) }
    }
}

/// One cell for all posts: reused for another number of thumbnails, it adds, removes and places them again.
package final class ChangingCell: Cell, InfoConfiguring {
    package func configure(with info: PostInfo?) {
        let frames = info?.thumbnailCount.frames(in: size, spacing: 4) ?? []
        thumbnails.removeLast(max(0, thumbnails.count - frames.count))
        while thumbnails.count < frames.count { thumbnails.append(ThumbnailView()) }
        for (index, frame) in frames.enumerated() { thumbnails[index].frame = frame }
        show(info?.thumbnails ?? [])
    }
}

/// A cell of one layout: its thumbnails are placed once, however often it is reused.
package class ThumbnailsCell: Cell, InfoConfiguring, EdgeDividing {
    package var dividers: EdgeDividers = []

    init(_ count: ThumbnailCount, size: CGSize) {
        super.init(size: size)
        thumbnails = count.frames(in: size, spacing: 4).map { ThumbnailView(frame: $0) }
    }

    package func configure(with info: PostInfo?) { show(info?.thumbnails ?? []) }
}

package final class OneThumbnailCell: ThumbnailsCell {
    package init(size: CGSize) { super.init(.one, size: size) }
}

package final class TwoThumbnailsCell: ThumbnailsCell {
    package init(size: CGSize) { super.init(.two, size: size) }
}

package final class ThreeThumbnailsCell: ThumbnailsCell {
    package init(size: CGSize) { super.init(.three, size: size) }
}

package final class FourThumbnailsCell: ThumbnailsCell {
    package init(size: CGSize) { super.init(.four, size: size) }
}

package final class FiveThumbnailsCell: ThumbnailsCell {
    package init(size: CGSize) { super.init(.five, size: size) }
}

/// The five cells' common type.
package typealias PostCell = Cell & InfoConfiguring<PostInfo> & EdgeDividing

package func makeFactory(size: CGSize) -> PostCellFactory<any PostCell> {
    PostCellFactory(
        one: { OneThumbnailCell(size: size) },
        two: { TwoThumbnailsCell(size: size) },
        three: { ThreeThumbnailsCell(size: size) },
        four: { FourThumbnailsCell(size: size) },
        five: { FiveThumbnailsCell(size: size) }
    )
}

/// The cells of a grid, with dividers between them.
package func makeGrid(
    of posts: [FeedPost],
    in bucket: String,
    columnCount: Int,
    _ factory: PostCellFactory<any PostCell>
) -> [any PostCell] {
    posts.enumerated().map { index, post in
        let cell = factory.makeCell(for: ThumbnailCount(clamping: post.images.count))
        cell.configure(with: PostInfo(post, in: bucket))
        cell.dividers = EdgeDividers(index: index, count: posts.count, columnCount: columnCount)
        return cell
    }
}

/// Shows a post's title.
package final class TitleCell: InfoConfiguring {
    package private(set) var text = ""

    package init() {}

    package func configure(with info: PostInfo?) { text = info?.post.title ?? "" }
}

package func configure(_ cells: [any InfoConfiguring<PostInfo>], with posts: [FeedPost], in bucket: String) {
    for (cell, post) in zip(cells, posts) { cell.configure(with: PostInfo(post, in: bucket)) }
}
