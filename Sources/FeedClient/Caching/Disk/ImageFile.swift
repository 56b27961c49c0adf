// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An image on disk that was found and not read yet; it can be read even if it is dropped from the cache meanwhile.
struct ImageFile: Sendable {
    private let handle: FileHandle
    private let key: String

    /// Opens the file of a key; `nil` when there is none.
    init?(_ url: URL, key: String) {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
        self.handle = handle
        self.key = key
    }

    /// Reads the image; `nil` unless it is whole, undamaged and that of the key.
    func read() -> CachedImage? {
        defer { try? handle.close() }
        guard let contents = try? handle.readToEnd(), let header = ImageFileHeader(contents), header.isWhole,
            header.key == key, header.imageByteCount == contents.count - header.byteCount
        else { return nil }
        let data = Data(contents.dropFirst(header.byteCount))
        guard data.crc32c == header.checksum else { return nil }
        return CachedImage(data: data, entityTag: header.entityTag, freshUntil: header.freshUntil)
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
