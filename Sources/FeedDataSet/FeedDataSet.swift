// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A feed that an emulator can be seeded with: users, posts and where their images come from.
///
/// A value that holds no image's bytes; any number of tasks may ask it for images at once.
package struct FeedDataSet: Sendable, Hashable {
    /// The project's id.
    package let project: String
    /// The Firestore database, usually `(default)`.
    package let database: String
    /// The Cloud Storage bucket.
    package let bucket: String
    /// The Firestore collection of the posts.
    package let collection: String
    /// Everyone who may post, in the order of the file.
    package let users: [FeedUser]
    /// The posts in the order of the file.
    package let posts: [FeedPost]
    /// Where the images come from.
    package let images: ImageSource

    /// Renders or reads one image of a post of this feed; a file is verified to be whole.
    package func image(of post: FeedPost, at index: Int) throws(FeedDataSetError) -> SeedImage {
        precondition((0..<post.imageCount).contains(index), "image \(index) of a post with \(post.imageCount)")
        return try images.image(of: post, at: index)
    }

    /// Reads every image file of a post once, one at a time, so that a bad one is found before anything is stored.
    ///
    /// Rendered images need no check.
    package func verifyImages(of post: FeedPost) throws(FeedDataSetError) {
        guard case .directory = images else { return }
        for index in 0..<post.imageCount { _ = try image(of: post, at: index) }
    }
}
