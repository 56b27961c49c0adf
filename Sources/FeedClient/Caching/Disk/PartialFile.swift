// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The file of a download that is not whole yet; no other process resumes it while it is open.
struct PartialFile {
    let url: URL
    private let handle: FileHandle

    /// Opens the file of a key, or creates it; `nil` when another download of the same image, perhaps in another process,
    /// has it open.
    init?(key: String, in directory: URL, isNew: Bool) {
        url = directory.appendingPathComponent(CacheFileName.stem(of: key))
            .appendingPathExtension(CacheFileName.partial)
        guard isNew || FileManager.default.fileExists(atPath: url.path), let handle = FileHandle.updating(url),
            // Its former owner may have finished and renamed it just now.
            handle.tryLock(), handle.isFile(at: url)
        else { return nil }
        self.handle = handle
    }

    /// The header, and what has come of the image, `.some(nil)` if the file is not a partial download; `nil` if it cannot be
    /// read.
    func contents() -> (header: ImageFileHeader, data: Data)?? {
        guard (try? handle.seek(toOffset: 0)) != nil, let contents = try? handle.readToEnd() ?? Data() else {
            return nil
        }
        guard let header = ImageFileHeader(contents) else { return .some(nil) }
        return (header, Data(contents.dropFirst(header.byteCount)))
    }

    /// Puts a header and the beginning of an image in place of all there is.
    func begin(_ header: ImageFileHeader, data: Data) throws {
        try handle.truncate(atOffset: 0)
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: header.encoded + data)
    }

    /// Appends more of the image.
    func append(_ data: Data) throws {
        try handle.seekToEnd()
        try handle.write(contentsOf: data)
    }

    /// Writes the header again, which must be as long as the one before.
    func rewrite(_ header: ImageFileHeader) throws {
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: header.encoded)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
