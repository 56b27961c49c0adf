// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Which images of a post a screen needs.
public enum ImageSet: Sendable, Hashable, CaseIterable {
    /// Image 0, which a list shows.
    case thumbnail
    /// All but image 0: what is left to be loaded when a post of the list is opened.
    case rest
    /// All of them.
    case full
}

extension FeedPost {
    /// The images of a set, in their order; none where the post has none.
    public func images(in set: ImageSet) -> [FeedImage] {
        switch set {
        case .thumbnail: Array(images.prefix(1))
        case .rest: Array(images.dropFirst())
        case .full: images
        }
    }

    /// The references of a set's images, in their order.
    ///
    /// A thumbnail is asked for in the form that is given; the other sets are of the images themselves.
    public func references(
        to set: ImageSet,
        in bucket: String,
        thumbnails: ThumbnailForm = .whole
    ) -> [ImageReference] {
        images(in: set).map { image in
            let reference = reference(to: image, in: bucket)
            return set == .thumbnail ? thumbnails.listed(reference) : thumbnails.opened(reference)
        }
    }
}
