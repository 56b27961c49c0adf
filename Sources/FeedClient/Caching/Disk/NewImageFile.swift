// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An image on its way to the disk under a temporary name of its own.
struct NewImageFile {
    private let url: URL
    private let header: ImageFileHeader
    private let data: Data

    /// `nil` for a key that is too long to be kept.
    init?(_ image: CachedImage, key: String, in directory: URL) {
        let entityTag = image.entityTag.utf8.count <= ImageFileHeader.entityTagByteCountMax ? image.entityTag : ""
        guard var header = ImageFileHeader(key: key, entityTag: entityTag) else { return nil }
        header.isWhole = true
        header.freshUntil = image.freshUntil
        header.checksum = image.data.crc32c
        header.imageByteCount = image.data.count
        self.header = header
        data = image.data
        // Unlike a partial download's, the name belongs to no other process.
        url = directory.appendingPathComponent(CacheFileName.stem(of: "\(key)\(UUID())"))
            .appendingPathExtension(CacheFileName.temporary)
    }

    /// Writes the file and returns its place.
    func written() throws -> URL {
        do {
            try (header.encoded + data).write(to: url)
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
        return url
    }
}
