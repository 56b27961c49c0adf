// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging

/// Images as files named `owner/feed/n`, with any extension or none.
package struct ImageDirectory: Sendable, Hashable {
    /// The folder that holds the owners' folders.
    package let path: String
    /// The files' names in the order of their numbers, by the post's folder.
    private let names: [String: [String]]

    /// Finds the images of posts whose number is known; further files in a post's folder are left alone.
    init(path: String, posts: [FeedPost]) throws(FeedDataSetError) {
        var names: [String: [String]] = [:]
        for post in posts {
            let folder = Self.folder(owner: post.owner, feed: post.id)
            let numbered = try NumberedFiles(folder: FeedFiles.join(path, name: folder))
            names[folder] = try numbered.names(count: post.imageCount)
        }
        self.path = path
        self.names = names
    }

    /// Wraps images that were found already.
    init(path: String, names: [String: [String]]) {
        self.path = path
        self.names = names
    }

    /// The paths of the files, in the order of their names.
    var files: [String] {
        names.sorted { $0.key < $1.key }.flatMap { folder, files in
            files.map { FeedFiles.join(FeedFiles.join(path, name: folder), name: $0) }
        }
    }

    static func folder(owner: String, feed: String) -> String { "\(owner)/\(feed)" }

    func image(of post: FeedPost, at index: Int) throws(FeedDataSetError) -> SeedImage {
        let folder = Self.folder(owner: post.owner, feed: post.id)
        guard let files = names[folder], files.indices.contains(index) else {
            preconditionFailure("\(folder) is no post of this feed")
        }
        let file = FeedFiles.join(FeedFiles.join(path, name: folder), name: files[index])
        let bytes = [UInt8](try FeedFiles.contents(of: file, byteCountMax: FeedLimits.imageByteCountMax))
        do {
            let info = try ImageInspector.verify(bytes)
            return SeedImage(
                bytes: bytes,
                contentType: info.contentType,
                pixelWidth: info.uprightWidth,
                pixelHeight: info.uprightHeight
            )
        } catch {
            throw .unusableImage(file, error: error)
        }
    }
}
