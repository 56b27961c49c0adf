// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Encoded images in the files of one directory, within a byte limit; the least recently asked for go first.
///
/// The limit counts the images' bytes, not the files' headers. The directory belongs to one open cache at a time;
/// files that are not the cache's own stay untouched.
package struct DiskCache: Sendable {
    private let directory: URL
    private var index: RecencyIndex<URL>
    /// The highest ticket found when the cache was opened; new tickets must be higher.
    package let ticketMaxOnOpen: UInt64

    /// Opens the directory, or creates it, and lists the images in it.
    package init(directory: URL, byteCountMax: Int) throws(FeedError) {
        self.directory = directory
        index = RecencyIndex(byteCountMax: byteCountMax)
        let files: [DiskCacheFile]
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            files = try DiskCacheFile.scan(directory)
        } catch {
            throw .cacheUnusable(directory.path, cause: error)
        }
        ticketMaxOnOpen = files.last?.header.ticket ?? 0
        for file in files {
            let dropped = index.insert(
                file.header.key,
                file.url,
                byteCount: file.header.byteCount,
                ticket: file.header.ticket
            )
            Self.delete(dropped)
        }
    }

    /// The bytes of all images held.
    package var byteCount: Int { index.byteCount }

    /// The keys held, the least recently asked for first.
    package var keysFromOldest: [String] { index.keysFromOldest }

    /// The image of a key, which becomes the latest; a file that is damaged or gone is a miss and forgotten.
    package mutating func data(for key: String, ticket: UInt64) -> Data? {
        guard let url = index.touch(key, ticket: ticket) else { return nil }
        guard let data = DiskCacheFile.read(url, key: key) else {
            _ = index.remove(key)
            Self.delete([url])
            return nil
        }
        DiskCacheFile.write(ticket: ticket, to: url)
        return data
    }

    /// Keeps an image, unless it is larger than the limit or would have been dropped already.
    package mutating func store(_ data: Data, for key: String, ticket: UInt64) throws {
        guard index.admits(byteCount: data.count, ticket: ticket) else { return }
        let file = DiskCacheFile(key: key, ticket: ticket, data: data, in: directory)
        try file.write(data)
        Self.delete(index.insert(key, file.url, byteCount: data.count, ticket: ticket))
    }

    /// A file that cannot be deleted stays behind; the next opening finds it again.
    private static func delete(_ files: [URL]) {
        for file in files { try? FileManager.default.removeItem(at: file) }
    }
}
