// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension FeedDataSet {
    /// Makes a feed of a folder that holds nothing but images named `owner/feed/n`.
    ///
    /// Files beside the folders, such as a read-me, are ignored; within a post's folder every file must be an image.
    static func derive(fromFolder path: String) throws(FeedDataSetError) -> FeedDataSet {
        let found = try FoundImages(in: path)
        guard !found.posts.isEmpty else { throw .noImages(path) }
        return FeedDataSet(
            project: "demo-feed",
            database: "(default)",
            bucket: "demo-feed.appspot.com",
            collection: "posts",
            users: found.owners.map { FeedUser(id: $0, name: $0) },
            posts: try DerivedPost.feedPosts(found.posts),
            images: .directory(ImageDirectory(path: path, names: found.names))
        )
    }
}
