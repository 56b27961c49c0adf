// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One image on disk: a header, the key and the bytes.
///
/// It is written under a temporary name and then renamed, so that a crash leaves no half-written image. What is
/// damaged in another way does not match its length or its checksum.
struct DiskCacheFile {
    static let nameExtension = "fmimage"
    static let temporaryExtension = "fmpart"

    let url: URL
    let header: DiskCacheHeader

    init(url: URL, header: DiskCacheHeader) {
        self.url = url
        self.header = header
    }

    init(key: String, ticket: UInt64, data: Data, in directory: URL) {
        let name = FNV1a128.hexadecimal(of: key.utf8)
        url = directory.appendingPathComponent(name).appendingPathExtension(Self.nameExtension)
        header = DiskCacheHeader(key: key, ticket: ticket, data: data)
    }

    func write(_ data: Data) throws {
        let temporary = url.deletingPathExtension().appendingPathExtension(Self.temporaryExtension)
        try (header.encoded + data).write(to: temporary)
        guard rename(temporary.path, url.path) == 0 else {
            let reason = POSIXErrorCode(rawValue: errno) ?? .EIO
            try? FileManager.default.removeItem(at: temporary)
            throw POSIXError(reason)
        }
    }

    /// The image of a file; `nil` unless it is whole and bears this key.
    static func read(_ url: URL, key: String) -> Data? {
        guard let contents = try? Data(contentsOf: url), let header = DiskCacheHeader(contents),
            header.key == key, header.fileByteCount == contents.count
        else { return nil }
        let data = Data(contents.suffix(header.byteCount))
        return header.checksum == DiskCacheHeader.checksum(key: key, data: data) ? data : nil
    }

    /// Notes in place that the image was asked for again; losing the note in a crash only loses its rank.
    static func write(ticket: UInt64, to url: URL) {
        guard let handle = try? FileHandle(forUpdating: url) else { return }
        defer { try? handle.close() }
        try? handle.seek(toOffset: UInt64(DiskCacheHeader.ticketOffset))
        try? handle.write(contentsOf: DiskCacheHeader.bytes(ticket))
    }
}
