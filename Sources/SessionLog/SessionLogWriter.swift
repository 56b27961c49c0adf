// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Appends lines to a session log; several writers, also in other processes, may share one file.
///
/// Every line is handed to the kernel in one `write` on a file opened for appending, so lines never interleave.
package final class SessionLogWriter: Sendable {
    private struct OpenFile {
        let file: PosixFile
        /// Whether the file ends inside a line, which must not be continued.
        var isTorn: Bool
    }

    /// The header of the file: the one passed in, or the one that was there before.
    package let header: SessionHeader
    private let path: String
    private let state: Locked<OpenFile?>

    /// Opens a log; writes the header when the file is new or empty, and otherwise checks the one that is there.
    package init(_ path: String, header: SessionHeader) throws(SessionLogError) {
        let file = try PosixFile(appendingTo: path)
        let (found, isTorn) = try file.withExclusiveLock { () throws(SessionLogError) in
            guard let lastByte = try file.lastByte() else {
                try Self.append(SessionEntry.header(header).encoded(), isTorn: false, to: file, path: path)
                return (header, false)
            }
            return (try SessionLogReader(path).header, lastByte != 0x0A)
        }
        self.path = path
        self.header = found
        self.state = Locked(OpenFile(file: file, isTorn: isTorn))
    }

    /// Appends one line.
    package func append(_ entry: SessionEntry) throws(SessionLogError) {
        let line = entry.encoded()
        guard line.count <= SessionLog.lineByteCountMax else { throw .lineTooLong(lineNumber: nil) }
        try state.withLock { (state) throws(SessionLogError) in
            guard let open = state else { throw .writerClosed(path) }
            // Set before the attempt: a write that fails half way leaves a torn line behind.
            state?.isTorn = true
            try Self.append(line, isTorn: open.isTorn, to: open.file, path: path)
            state?.isTorn = false
        }
    }

    /// Closes the file; appending afterwards is an error, closing again is not.
    package func close() { state.withLock { $0 = nil } }

    private static func append(
        _ line: [UInt8],
        isTorn: Bool,
        to file: PosixFile,
        path: String
    ) throws(SessionLogError) {
        let bytes = (isTorn ? [0x0A] : []) + line + [0x0A]
        let writtenByteCount = try file.append(bytes)
        guard writtenByteCount == bytes.count else {
            throw .writtenInPart(path, writtenByteCount: writtenByteCount, byteCount: bytes.count)
        }
    }
}
