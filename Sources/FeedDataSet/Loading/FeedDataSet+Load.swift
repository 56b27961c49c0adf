// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
package import Foundation

extension FeedDataSet {
    /// The description's name within a folder.
    static let descriptionName = "feed.json"

    /// Loads a feed.json, a folder that holds one, or a folder of images named `owner/feed/n`.
    ///
    /// Reads no image, but finds missing, misnamed and repeated ones.
    package static func load(_ path: String) throws(FeedDataSetError) -> FeedDataSet {
        guard let description = try pathOfDescription(path) else { return try derive(fromFolder: path) }
        return try load(description: description)
    }

    /// Which files a feed at a path is made of: the text of its description, empty without one, and the paths of the images that are
    /// not rendered.
    package func sources(of path: String) throws(FeedDataSetError) -> (description: Data, images: [String]) {
        let description = try Self.pathOfDescription(path)
        let text = try description.map { path throws(FeedDataSetError) in
            try FeedFiles.contents(of: path, byteCountMax: FeedLimits.descriptionByteCountMax)
        }
        guard case .directory(let directory) = images else { return (text ?? Data(), []) }
        return (text ?? Data(), directory.files)
    }

    /// The path of the description; `nil` for a folder of images without one.
    private static func pathOfDescription(_ path: String) throws(FeedDataSetError) -> String? {
        guard let kind = FeedFiles.kind(of: path) else { throw .notFound(path) }
        guard kind == .directory else { return path }
        let description = FeedFiles.join(path, name: descriptionName)
        return switch FeedFiles.kind(of: description) {
        case .regular, .link, .other: description
        case .directory, nil: nil
        }
    }

    private static func load(description path: String) throws(FeedDataSetError) -> FeedDataSet {
        let data = try FeedFiles.contents(of: path, byteCountMax: FeedLimits.descriptionByteCountMax)
        let record = try FeedRecord.decode(data)
        return try record.validated(folder: FeedFiles.parent(of: path))
    }
}
