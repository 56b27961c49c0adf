// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation

/// A copy of a session log that grows: of its whole lines at one moment, and of the parts that were set aside.
///
/// Created while nothing is written; the bytes are copied afterwards, as a log only grows at its end.
struct LogCopy {
    private static let pieceByteCount = 1 << 20

    private let source: FileHandle
    private let byteCount: Int
    private let target: String

    init(of path: String, into directory: String) throws {
        target = directory + "/session.log"
        source = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        byteCount = Int(try source.seekToEnd())
        try source.seek(toOffset: 0)
        // Parts never change: a link suffices.
        let parent = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let prefix = parent.lastPathComponent + "."
        let folder = parent.deletingLastPathComponent().path
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasPrefix(prefix) {
            let end = name.dropFirst(prefix.count)
            guard end.first?.isNumber == true else { continue }
            let part = "\(folder)/\(name)"
            let copy = "\(target).\(end)"
            do {
                try FileManager.default.linkItem(atPath: part, toPath: copy)
            } catch {
                try FileManager.default.copyItem(atPath: part, toPath: copy)
            }
        }
    }

    /// Copies the bytes; returns the path of the copy.
    func finish() throws -> String {
        defer { try? source.close() }
        guard FileManager.default.createFile(atPath: target, contents: nil, attributes: [.posixPermissions: 0o600])
        else {
            throw CocoaError(.fileWriteUnknown)
        }
        let copy = try FileHandle(forWritingTo: URL(fileURLWithPath: target))
        defer { try? copy.close() }
        var rest = byteCount
        while rest > 0, let piece = try source.read(upToCount: min(rest, Self.pieceByteCount)), !piece.isEmpty {
            try copy.write(contentsOf: piece)
            rest -= piece.count
        }
        return target
    }
}
