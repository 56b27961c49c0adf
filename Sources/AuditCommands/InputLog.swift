// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LogImport
import SessionLog

/// A log as it is named on the command line: a file, or a pipe, `-` for standard input.
///
/// Logs are opened more than once, which a pipe cannot be: what comes through one is put into a temporary file first.
enum InputLog {
    private static let standardInput = "standard input"
    private static let pieceByteCount = 1 << 20
    /// The temporary files, and the names of their logs.
    private static let temporaryFiles = Locked<[(path: String, name: String)]>([])

    /// The path that a log can be read at as often as needed.
    static func path(_ name: String) throws -> String {
        if name == "-" { return try copy(.standardInput, named: standardInput) }
        guard isPipe(name) else { return name }
        guard let pipe = FileHandle(forReadingAtPath: name) else { return name }
        return try copy(pipe, named: name)
    }

    /// Opens a third-party log, to be read once: a pipe is read as it comes.
    static func reader(_ name: String, format: LogFormat?) throws -> LogReader {
        try LogReader(name, named: name == "-" ? standardInput : name, format: format)
    }

    /// The path at which a log can be read again that was opened to find its format.
    static func path(_ name: String, openedBy reader: LogReader) throws -> String {
        guard name == "-" || isPipe(name) else { return name }
        return try keeping(name == "-" ? standardInput : name) { file in
            try reader.copy { try file.write(contentsOf: $0) }
        }
    }

    /// Removes the temporary files.
    static func removeTemporaryFiles() {
        let files = temporaryFiles.withLock { files in
            defer { files = [] }
            return files
        }
        for file in files { try? FileManager.default.removeItem(atPath: file.path) }
    }

    /// A message in which logs have the names that they were given.
    static func named(_ message: String) -> String {
        temporaryFiles.withLock { $0 }.reduce(message) { $0.replacingOccurrences(of: $1.path, with: $1.name) }
    }

    private static func copy(_ pipe: FileHandle, named name: String) throws -> String {
        try keeping(name) { file in
            while let piece = try pipe.read(upToCount: pieceByteCount), !piece.isEmpty {
                try file.write(contentsOf: piece)
            }
        }
    }

    /// Puts a log into a temporary file.
    private static func keeping(_ name: String, _ write: (FileHandle) throws -> Void) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("audit-\(UUID().uuidString)").path
        temporaryFiles.withLock { $0.append((path, name)) }
        do {
            guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
                let file = FileHandle(forWritingAtPath: path)
            else { throw CocoaError(.fileWriteUnknown) }
            try write(file)
            try file.close()
        } catch let error as SessionLogError {
            throw error
        } catch {
            throw CommandFailure(exitCode: 74, message: "cannot keep \(name) in \(path): \(error.reason)")
        }
        return path
    }
}
