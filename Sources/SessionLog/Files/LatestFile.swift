// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// The file of a session log to which lines are appended.
struct LatestFile {
    private let path: String
    /// Counts the files that this writer has begun or found, from 0.
    private(set) var number = 0
    /// Its first line.
    let header: SessionHeader
    private var file: LogFile
    /// Whether the file ends inside a line, which must not be continued.
    private var isTorn: Bool

    /// Opens the file, or creates it with a header: that of what was set aside before, if there is any.
    init(_ path: String, header: SessionHeader) throws(SessionLogError) {
        self.path = path
        while true {
            let file = try LogFile(path, .readingAndWriting, [.creating, .atEnd])
            let found = try file.withLock(.exclusive) { () throws(SessionLogError) in
                try Self.begin(file, path: path, header: header)
            }
            // Otherwise it was set aside between opening and locking it.
            guard let (header, isTorn) = found else { continue }
            (self.file, self.header, self.isTorn) = (file, header, isTorn)
            return
        }
    }

    private static func begin(
        _ file: LogFile,
        path: String,
        header: SessionHeader
    ) throws(SessionLogError) -> (SessionHeader, isTorn: Bool)? {
        guard try file.isFile(at: path) else { return nil }
        if let lastByte = try file.lastByte() {
            let reader = try GunzippedFile(path)
            guard !reader.isCompressed else { throw .logCompressed(path) }
            return (try SessionLogReader.header(LineReader(reader), path: path), lastByte != 0x0A)
        }
        // Not every file of such a name need be a part of it.
        let former = try SetAsidePart.all(of: path).reversed().lazy.compactMap { try? $0.header() }.first
        try append(SessionEntry.header(former ?? header).encoded(), isTorn: false, to: file, path: path)
        return (former ?? header, false)
    }

    /// Appends lines, of which the last lacks its line break, to the new file if this one was set aside; returns how many
    /// bytes the file has.
    mutating func append(_ lines: [UInt8]) throws(SessionLogError) -> Int64 {
        while true {
            let byteCount = try file.withLock(.shared) { () throws(SessionLogError) -> Int64? in
                guard try file.isFile(at: path) else { return nil }
                let byteCount = try file.status().byteCount
                // Set before the attempt: a write that fails half way leaves a torn line behind.
                let wasTorn = isTorn
                isTorn = true
                try Self.append(lines, isTorn: wasTorn, to: file, path: path)
                isTorn = false
                return byteCount + Int64(lines.count)
            }
            if let byteCount { return byteCount }
            try begin()
        }
    }

    /// Sets the file aside, unless another writer has, and begins the next.
    mutating func setAside() throws(SessionLogError) {
        try file.withLock(.exclusive) { () throws(SessionLogError) in
            guard try file.isFile(at: path) else { return }
            try LogFiles.move(path, to: SetAsidePart.next(of: path).plainPath)
        }
        try begin()
    }

    private mutating func begin() throws(SessionLogError) {
        let next = number + 1
        self = try LatestFile(path, header: header)
        number = next
    }

    private static func append(
        _ lines: [UInt8],
        isTorn: Bool,
        to file: LogFile,
        path: String
    ) throws(SessionLogError) {
        let bytes = (isTorn ? [0x0A] : []) + lines + [0x0A]
        // In one call, so that lines of several writers do not mix.
        let writtenByteCount = try file.appendOnce(bytes)
        guard writtenByteCount == bytes.count else {
            throw .writtenInPart(path, writtenByteCount: writtenByteCount, byteCount: bytes.count)
        }
    }
}
