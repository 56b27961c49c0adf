// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An image on disk that was found and not read yet.
struct ImageFile: Sendable {
    /// The result of reading.
    enum Contents: Sendable {
        case image(CachedImage)
        /// The file is not whole, not sound, or not that of the key.
        case damaged
        /// The file is gone, or cannot be read now.
        case unreadable
    }

    let url: URL
    private let handle: FileHandle?
    private let key: String

    /// Finds the file of a key; one that is opened at once can be read even if it is dropped from the cache meanwhile.
    ///
    /// `nil` when there is none.
    init?(_ url: URL, key: String, isOpened: Bool) {
        handle = isOpened ? try? FileHandle(forReadingFrom: url) : nil
        guard handle != nil || FileManager.default.fileExists(atPath: url.path) else { return nil }
        self.url = url
        self.key = key
    }

    /// Reads the image.
    func read() -> Contents {
        guard let handle = handle ?? (try? FileHandle(forReadingFrom: url)) else { return .unreadable }
        defer { try? handle.close() }
        guard let contents = try? handle.readToEnd() ?? Data() else { return .unreadable }
        guard let header = ImageFileHeader(contents), header.isWhole,
            header.key == key, header.imageByteCount == contents.count - header.byteCount
        else { return .damaged }
        let data = Data(contents.dropFirst(header.byteCount))
        guard data.crc32c == header.checksum else { return .damaged }
        return .image(CachedImage(data: data, entityTag: header.entityTag, freshUntil: header.freshUntil))
    }

    /// Whether a file begins as the cache's own do, those of its earlier forms included.
    static func isOwn(_ url: URL) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: 7)) == Data("FMIMAGE".utf8)
    }

    /// Reads a file's header only; `nil` unless the file has the name and the length that the header says.
    static func header(of url: URL) -> ImageFileHeader? {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? handle.close() }
        guard let start = try? handle.read(upToCount: ImageFileHeader.byteCountMax),
            let header = ImageFileHeader(start), header.isWhole, let imageByteCount = header.imageByteCount,
            CacheFileName.stem(of: header.key) == url.deletingPathExtension().lastPathComponent,
            let end = try? handle.seekToEnd(), end == UInt64(header.byteCount + imageByteCount)
        else { return nil }
        return header
    }

    /// Notes in place until when an image is fresh; a note that is lost costs a request.
    static func note(freshUntil: Int64, in url: URL) {
        guard let handle = try? FileHandle(forUpdating: url) else { return }
        defer { try? handle.close() }
        var bytes = Data()
        bytes.append(integer: freshUntil)
        try? handle.seek(toOffset: UInt64(ImageFileHeader.freshUntilOffset))
        try? handle.write(contentsOf: bytes)
    }
}
