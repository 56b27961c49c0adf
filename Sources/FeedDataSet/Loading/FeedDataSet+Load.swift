// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension FeedDataSet {
    /// The description's name within a folder.
    static let descriptionName = "feed.json"

    /// Loads a feed.json, a folder that holds one, or a folder of images named `owner/feed/n`.
    ///
    /// Reads no image, but finds missing, misnamed and repeated ones.
    package static func load(_ path: String) throws(FeedDataSetError) -> FeedDataSet {
        guard let kind = FileSystem.kind(of: path) else { throw .notFound(path) }
        guard kind == .folder else { return try load(description: path) }
        let description = FileSystem.join(path, descriptionName)
        return switch FileSystem.kind(of: description) {
        case .file, .other: try load(description: description)
        case .folder, nil: try derive(fromFolder: path)
        }
    }

    private static func load(description path: String) throws(FeedDataSetError) -> FeedDataSet {
        let data = try FileSystem.contents(of: path, byteCountMax: FeedLimits.descriptionByteCountMax)
        let record = try FeedRecord.decode(data)
        return try record.validated(folder: FileSystem.parent(of: path))
    }
}
