// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
package import Foundation

// The code of the article "One cell, five layouts".

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

/// Shows a post's thumbnails, one to five of them.
package final class ThumbnailsCell: InfoConfiguring {
    package private(set) var frames: [CGRect] = []
    package private(set) var thumbnails: [ImageReference] = []
    private let size: CGSize

    package init(size: CGSize) { self.size = size }

    package func configure(with info: PostInfo) {
        frames = info.thumbnailCount.frames(in: size, spacing: 4)
        thumbnails = info.thumbnails
    }
}

/// Shows a post's title.
package struct TitleCell: InfoConfiguring, PlainConfiguring {
    package private(set) var text = ""

    package init() {}

    package mutating func configure(with info: PostInfo) { text = info.post.title }
}

package func configure(_ cells: inout [any InfoConfiguring<PostInfo>], with posts: [FeedPost], in bucket: String) {
    for (index, post) in zip(cells.indices, posts) {
        if let info = PostInfo(post, in: bucket) { cells[index].configure(with: info) }
    }
}
