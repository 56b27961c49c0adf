// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// A file of a session log.
///
/// Logs contain what users did: those we create are for their owner alone.
typealias LogFile = OpenFile<SessionLogError>

typealias LogFiles = FileSystem<SessionLogError>

extension OpenFile where Failure == SessionLogError {
    /// The file's last byte; `nil` for an empty file.
    func lastByte() throws(SessionLogError) -> UInt8? {
        let byteCount = try status().byteCount
        guard byteCount > 0 else { return nil }
        return try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { buffer throws(SessionLogError) in
            try read(at: byteCount - 1, into: buffer) == 0 ? nil : buffer[0]
        }
    }

    /// Whether this is still the file of a name.
    func isFile(at path: String) throws(SessionLogError) -> Bool {
        try LogFiles.status(of: path)?.identity == status().identity
    }
}
