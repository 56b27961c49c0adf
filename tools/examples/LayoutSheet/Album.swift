// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Imaging
import PhotoRendering

/// Rendered photographs for posts, and what their colors and placeholders are.
struct Album {
    struct Picture {
        let pixels: PixelBuffer
        let color: RGBColor
        let placeholder: PixelBuffer
    }

    private let renderer = PhotoRenderer(seed: 6, byteCounts: PhotoByteCounts(median: 60_000, sigma: 0.3))

    func picture(of post: FeedPost, at index: Int) -> Picture {
        let pixels = renderer.pixels(of: PhotoIdentity(owner: post.ownerID, feed: post.feedID, index: index))
        let hash = BlurHash(of: pixels, horizontalCount: 4, verticalCount: 3)
        let (width, height) = (max(1, pixels.width / 16), max(1, pixels.height / 16))
        return Picture(
            pixels: pixels,
            color: RGBColor.dominant(of: pixels, every: 10),
            placeholder: PixelBuffer(width: width, height: height, bytes: hash.pixels(width: width, height: height))
        )
    }

    /// A post whose images have the sizes of its pictures, as in a server's document.
    func post(_ id: String, imageCount: Int) -> FeedPost {
        let images = (0..<imageCount).map { index in
            let pixels = renderer.pixels(of: PhotoIdentity(owner: "ada", feed: id, index: index))
            return FeedImage(index: index, pixelWidth: pixels.width, pixelHeight: pixels.height)
        }
        return FeedPost(
            id: id,
            ownerID: "ada",
            feedID: id,
            title: id,
            likes: imageCount,
            createdAt: Date(timeIntervalSince1970: 0),
            images: images
        )
    }
}
