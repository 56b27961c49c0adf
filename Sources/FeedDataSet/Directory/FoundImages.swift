// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// The results of a walk through folders named `owner/feed`, in the order of the names.
struct FoundImages {
    private(set) var owners: [String] = []
    private(set) var posts: [DerivedPost] = []
    /// The images' names by the post's folder.
    private(set) var names: [String: [String]] = [:]

    init(in path: String) throws(FeedDataSetError) {
        for owner in try Self.folders(in: path) {
            let folder = FeedFiles.join(path, name: owner)
            let feeds = try Self.folders(in: folder)
            guard !feeds.isEmpty else { throw .emptyFolder(folder) }
            owners.append(owner)
            for feed in feeds { try add(owner: owner, feed: feed, folder: FeedFiles.join(folder, name: feed)) }
            guard posts.count <= FeedLimits.postCountMax else {
                throw .tooManyPosts(path, limit: FeedLimits.postCountMax)
            }
        }
    }

    private mutating func add(owner: String, feed: String, folder: String) throws(FeedDataSetError) {
        let files = try NumberedFiles(folder: folder)
        guard !files.isEmpty else { throw .emptyFolder(folder) }
        let images = try files.allNames()
        names[ImageDirectory.folder(owner: owner, feed: feed)] = images
        posts.append(DerivedPost(owner: owner, feed: feed, imageCount: images.count))
    }

    /// The sorted names of a folder's folders, all of them usable as ids.
    private static func folders(in path: String) throws(FeedDataSetError) -> [String] {
        let names = try FeedFiles.names(in: path).filter {
            FeedFiles.kind(of: FeedFiles.join(path, name: $0)) == .directory
        }
        for name in names where !FeedIdentifier.isValid(name) {
            throw .unusableName(FeedFiles.join(path, name: name))
        }
        return names
    }
}
