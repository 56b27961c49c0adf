// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging
package import PhotoRendering

/// Where a feed's images come from.
package enum ImageSource: Sendable, Hashable {
    /// They are rendered when they are asked for.
    case rendered(PhotoRenderer)
    /// They are files.
    case directory(ImageDirectory)

    func image(of post: FeedPost, at index: Int) throws(FeedDataSetError) -> SeedImage {
        switch self {
        case .rendered(let renderer): try renderer.seedImage(of: post, at: index)
        case .directory(let directory): try directory.image(of: post, at: index)
        }
    }
}

extension PhotoRenderer {
    fileprivate func seedImage(of post: FeedPost, at index: Int) throws(FeedDataSetError) -> SeedImage {
        let identity = PhotoIdentity(owner: post.owner, feed: post.id, index: index)
        do {
            let photo = try photo(of: identity)
            return SeedImage(
                bytes: photo.bytes,
                contentType: ImageFormat.jpeg.contentType,
                pixelWidth: photo.pixelWidth,
                pixelHeight: photo.pixelHeight
            )
        } catch {
            throw .unusableImage("\(post.owner)/\(post.id)/\(index)", error: error)
        }
    }
}
