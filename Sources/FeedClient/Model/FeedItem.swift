// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A post as a feed loads and lays it out; an app's own type adopts it.
///
/// ```swift
/// extension Recipe: FeedItem {
///     var images: [FeedImage] {
///         photos.enumerated().map { index, photo in
///             FeedImage(index: index, pixelWidth: photo.width, pixelHeight: photo.height, location: .url(photo.url))
///         }
///     }
/// }
/// ```
public protocol FeedItem: Sendable, Identifiable where ID == String {
    /// The images in their order; image 0 is the one that a list shows.
    var images: [FeedImage] { get }

    /// The reference of one of the images; `bucket` is the ``FeedSource/bucket`` of the item's source.
    ///
    /// Unless the type has its own, the image's location, or the object `id/index` of the bucket where it has none.
    func reference(to image: FeedImage, in bucket: String) -> ImageReference
}

extension FeedItem {
    /// The reference by the image's location, or of the object `id/index`.
    public func reference(to image: FeedImage, in bucket: String) -> ImageReference {
        image.reference(orObject: "\(id)/\(image.index)", in: bucket)
    }

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

extension FeedImage {
    /// The reference of the image; `name` is the object's where the image has no location.
    func reference(orObject name: String, in bucket: String) -> ImageReference {
        ImageReference(
            location ?? .object(bucket: bucket, name: name),
            role: index == 0 ? .thumbnail : .full,
            generation: generation,
            token: token,
            byteCount: byteCount
        )
    }
}
