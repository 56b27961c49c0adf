// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// A file of an export.
typealias ExportFile = OpenFile<ExportError>

extension OpenFile where Failure == ExportError {
    /// Opens a file for reading; throws for anything but a regular file, links to one included.
    static func reading(_ path: String) throws -> ExportFile {
        let file = try ExportFile(path, .reading, [.notFollowing, .notWaiting])
        guard try file.status().kind == .regular else { throw ExportError.badFile(path, "is no regular file") }
        return file
    }

    /// Creates a file for its owner, which must not exist.
    static func creating(_ path: String) throws -> ExportFile {
        try ExportFile(path, .readingAndWriting, [.creating, .exclusively])
    }

    /// Creates a file that holds a text.
    static func create(_ path: String, holding text: String, isDurable: Bool = false) throws {
        let file = try creating(path)
        var text = text
        try text.withUTF8 { try file.append(UnsafeRawBufferPointer($0)) }
        if isDurable { try file.synchronize() }
    }

    /// Returns a small file; throws for one that is larger than `limit`.
    func contents(upTo limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try readAll { piece in
            guard bytes.count + piece.count <= limit else {
                throw ExportError.badFile(path, "is larger than \(limit) bytes, the limit for its kind")
            }
            bytes.append(contentsOf: piece)
        }
        return bytes
    }
}
