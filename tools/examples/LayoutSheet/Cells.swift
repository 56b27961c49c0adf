// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Imaging

/// A cell that shows a post's thumbnails in one of the five layouts.
final class ThumbnailsCell: InfoConfiguring {
    let frame: CGRect
    let album: Album
    private(set) var thumbnails: [(frame: CGRect, picture: Album.Picture)] = []

    init(frame: CGRect, album: Album) {
        self.frame = frame
        self.album = album
    }

    func configure(with info: PostInfo?) {
        thumbnails = []
        guard let info else { return }
        let frames = info.thumbnailCount.frames(in: frame.size, spacing: 4)
        thumbnails = zip(frames, info.thumbnails.indices).map { thumbnail, index in
            (thumbnail.offsetBy(dx: frame.minX, dy: frame.minY), album.picture(of: info.post, at: index))
        }
    }
}

/// A cell that shows a post's first image and, below it, its colors.
final class ColorCell: InfoConfiguring {
    let frame: CGRect
    let album: Album
    private(set) var picture: Album.Picture?

    init(frame: CGRect, album: Album) {
        self.frame = frame
        self.album = album
    }

    func configure(with info: PostInfo?) { picture = info.map { album.picture(of: $0.post, at: 0) } }
}
