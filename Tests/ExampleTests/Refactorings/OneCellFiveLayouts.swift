// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation

// The code of the article "One cell, five layouts".

/// Shows a post's thumbnails, one to five of them.
final class ThumbnailsCell: InfoConfiguring {
    private(set) var frames: [CGRect] = []
    private(set) var thumbnails: [ImageReference] = []
    private let size: CGSize

    init(size: CGSize) { self.size = size }

    func configure(with info: PostInfo) {
        frames = info.thumbnailCount.frames(in: size, spacing: 4)
        thumbnails = info.thumbnails
    }
}

/// Shows a post's title.
struct TitleCell: InfoConfiguring {
    private(set) var text = ""

    mutating func configure(with info: PostInfo) { text = info.post.title }
}

func configure(_ cells: inout [any InfoConfiguring<PostInfo>], with posts: [FeedPost], in bucket: String) {
    for (index, post) in zip(cells.indices, posts) {
        if let info = PostInfo(post, in: bucket) { cells[index].configure(with: info) }
    }
}
