// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog

/// A log as it is named on the command line: a file, or a pipe, `-` for standard input.
///
/// Logs are opened more than once, which a pipe cannot be: what comes through one is put into a temporary file first.
enum InputLog {
    private static let pieceByteCount = 1 << 20
    private static let temporaryFiles = Locked<[String]>([])

    /// The path that a log can be read at as often as needed.
    static func path(_ name: String) throws -> String {
        if name == "-" { return try copy(.standardInput, named: "standard input") }
        var status = stat()
        guard stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return name }
        guard let pipe = FileHandle(forReadingAtPath: name) else { return name }
        return try copy(pipe, named: name)
    }

    /// Removes the temporary files.
    static func removeTemporaryFiles() {
        let paths = temporaryFiles.withLock { paths in
            defer { paths = [] }
            return paths
        }
        for path in paths { try? FileManager.default.removeItem(atPath: path) }
    }

    private static func copy(_ pipe: FileHandle, named name: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("audit-\(UUID().uuidString)").path
        temporaryFiles.withLock { $0.append(path) }
        do {
            guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
                let file = FileHandle(forWritingAtPath: path)
            else { throw CocoaError(.fileWriteUnknown) }
            while let piece = try pipe.read(upToCount: pieceByteCount), !piece.isEmpty {
                try file.write(contentsOf: piece)
            }
            try file.close()
        } catch {
            throw CommandFailure(exitCode: 74, message: "cannot keep \(name) in \(path): \(error.reason)")
        }
        return path
    }
}
