// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension DiskCacheFile {
    /// The cache's own whole files in a directory, lowest ticket first; what a crash left half-written is deleted.
    static func scan(_ directory: URL) throws -> [DiskCacheFile] {
        var files: [DiskCacheFile] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
            let url = directory.appendingPathComponent(name)
            guard FNV1a128.isHexadecimal(url.deletingPathExtension().lastPathComponent) else { continue }
            switch url.pathExtension {
            case temporaryExtension: try? FileManager.default.removeItem(at: url)
            case nameExtension:
                if let file = open(url) { files.append(file) }
            default: continue
            }
        }
        // The name decides between equal tickets, which only foreign hands can have made.
        return files.sorted { left, right in
            (left.header.ticket, left.url.lastPathComponent) < (right.header.ticket, right.url.lastPathComponent)
        }
    }

    /// Reads a file's header only; `nil` unless the file has the name and the length that the header says.
    private static func open(_ url: URL) -> DiskCacheFile? {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? handle.close() }
        guard let start = try? handle.read(upToCount: DiskCacheHeader.byteCountMax),
            let header = DiskCacheHeader(start),
            FNV1a128.hexadecimal(of: header.key.utf8) == url.deletingPathExtension().lastPathComponent,
            let end = try? handle.seekToEnd(), end == UInt64(header.fileByteCount)
        else { return nil }
        return DiskCacheFile(url: url, header: header)
    }
}
