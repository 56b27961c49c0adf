// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// Appends lines to a session log; several writers, also in other processes, may share one file.
///
/// Every line is handed to the kernel in one `write` on a file opened for appending, so lines never interleave. Where one
/// of the writers rotates, the others continue in the new file as well.
package final class SessionLogWriter: Sendable {
    /// The header of the file: the one passed in, or the one that was there before.
    package let header: SessionHeader
    private let path: String
    private let rotator: LogRotator?
    private let state: Locked<LatestFile?>

    /// Opens a log; writes the header when there is none yet, and otherwise checks the one that is there.
    package init(
        _ path: String,
        header: SessionHeader,
        rotation: SessionLogRotation? = nil
    ) throws(SessionLogError) {
        // The target of a symbolic link is set aside, not the link.
        let path = LogFiles.resolved(path)
        let file = try LatestFile(path, header: header)
        self.path = path
        self.header = file.header
        rotator = rotation.map { LogRotator(path, header: file.header, rotation: $0) }
        state = Locked(file)
    }

    /// Why the log could not be set aside when it was full; all lines are in the file nevertheless.
    package var rotationFailure: SessionLogError? { rotator?.failure }

    /// Changes when another file is begun, whose lines must not refer to those of the file before: that may be removed.
    package var fileNumber: Int { state.withLock { $0?.number ?? 0 } }

    /// Appends one line.
    package func append(_ entry: SessionEntry) throws(SessionLogError) { try append([entry]) }

    /// Appends a line for each entry, all of them or none; returns the size of the file, in bytes, `nil` without an entry.
    @discardableResult
    package func append(_ entries: [SessionEntry]) throws(SessionLogError) -> Int64? {
        try append(SessionLines(entries))
    }

    /// Appends lines, all of them or none; returns the size of the file, in bytes, `nil` without a line.
    @discardableResult
    package func append(_ lines: SessionLines) throws(SessionLogError) -> Int64? {
        guard !lines.bytes.isEmpty else { return nil }
        return try state.withLock { (state) throws(SessionLogError) in
            // Taken out, so that there is one owner; a file that cannot be reopened is tried again with the next line.
            guard var file = state else { throw .writerClosed(path) }
            defer { state = file }
            let byteCount = try file.append(lines.bytes)
            rotator?.rotate(&file, byteCount: byteCount)
            return byteCount
        }
    }

    /// Closes the file; appending afterwards is an error, closing again is not.
    ///
    /// Waits for what was set aside to be compressed.
    package func close() {
        state.withLock { $0 = nil }
        rotator?.finish()
    }
}
