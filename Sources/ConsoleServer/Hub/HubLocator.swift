// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import JSON

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// How tools of Firebase find the hub of a project: a file in the directory for temporary files.
///
/// Source: firebase-tools 15.28.1, `src/emulator/hub.ts`, `writeLocatorFile`.
package struct HubLocator: Sendable, Equatable {
    /// The version of firebase-tools whose hub this is like; readers do not compare it.
    private static let version = "15.28.1"
    private static let byteCountMax = 64 << 10

    let origins: [String]
    let processID: Int32

    /// The locator of a hub in this process.
    package init(origins: [String]) {
        (self.origins, processID) = (origins, getpid())
    }

    var members: [(String, JSONText)] {
        [
            ("version", .string(Self.version)), ("origins", .array(origins.map(JSONText.string))),
            ("pid", .integer(Int64(processID))),
        ]
    }

    /// Reads a locator file; `nil` where there is none, or it is none.
    init?(file path: String) {
        guard let text = try? Self.contents(of: path), let json = try? JSONValue(parsing: text),
            let id = json["pid"]?.integer.flatMap(Int32.init(exactly:))
        else { return nil }
        origins = json["origins"]?.array?.compactMap(\.string) ?? []
        processID = id
    }

    /// Reads a small file; throws for a pipe, which another user of the directory may have put there, and waits for none.
    private static func contents(of path: String) throws -> [UInt8] {
        let file = try OpenFile<FileFault>(path, .reading, [.notFollowing, .notWaiting])
        guard try file.status().kind == .regular, let text = try file.bytes(upTo: byteCountMax) else {
            throw FileFault(.openForReading, path)
        }
        return text
    }

    /// The file of a project.
    ///
    /// - Parameters:
    ///   - project: The project's id.
    ///   - directory: The directory for temporary files.
    /// - Returns: The file's path.
    package static func path(of project: String, in directory: String) -> String {
        "\(directory)/hub-\(project.filter { $0 != "/" && $0 != "\0" }).json"
    }

    /// Writes the file, unless that of a process that lives is there.
    ///
    /// - Parameter path: See ``path(of:in:)``.
    /// - Returns: Whether it was written.
    /// - Throws: Where the file cannot be written.
    package func write(to path: String) throws -> Bool {
        if let earlier = HubLocator(file: path), earlier.processID != processID, earlier.isOfLivingProcess {
            return false
        }
        try replace(path)
        return true
    }

    /// Writes the file, whatever is there.
    ///
    /// - Parameter path: See ``path(of:in:)``.
    /// - Throws: Where the file cannot be written.
    package func replace(_ path: String) throws {
        let text = JSONText.object(members).rendered(isIndented: false)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// Removes the file if it is still that of this process.
    ///
    /// - Parameter path: See ``path(of:in:)``.
    package func remove(from path: String) {
        if HubLocator(file: path)?.processID == processID { unlink(path) }
    }

    private var isOfLivingProcess: Bool { processID > 0 && (kill(processID, 0) == 0 || errno == EPERM) }
}
