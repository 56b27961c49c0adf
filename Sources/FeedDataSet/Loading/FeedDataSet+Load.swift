// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

extension FeedDataSet {
    /// The description's name within a folder.
    static let descriptionName = "feed.json"

    /// Loads a feed.json, a folder that holds one, or a folder of images named `owner/feed/n`.
    ///
    /// Reads no image, but finds missing, misnamed and repeated ones.
    package static func load(_ path: String) throws(FeedDataSetError) -> FeedDataSet {
        guard let kind = FeedFiles.kind(of: path) else { throw .notFound(path) }
        guard kind == .directory else { return try load(description: path) }
        let description = FeedFiles.join(path, name: descriptionName)
        return switch FeedFiles.kind(of: description) {
        case .regular, .link, .other: try load(description: description)
        case .directory, nil: try derive(fromFolder: path)
        }
    }

    private static func load(description path: String) throws(FeedDataSetError) -> FeedDataSet {
        let data = try FeedFiles.contents(of: path, byteCountMax: FeedLimits.descriptionByteCountMax)
        let record = try FeedRecord.decode(data)
        return try record.validated(folder: FeedFiles.parent(of: path))
    }
}
