// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Basics
import Foundation

/// The directory operations of exports.
package typealias FileTree = FileSystem<ExportError>

extension FileSystem where Failure == ExportError {
    /// The kind of file at a path, links not followed; `nil` where nothing is.
    package static func kind(of path: String) throws -> FileStatus.Kind? {
        try status(of: path, followingLinks: false)?.kind
    }

    /// Whether a directory, which a link may lead to, holds nothing; throws when it is none.
    static func isEmpty(_ path: String) throws -> Bool {
        try DirectoryNames<ExportError>(path).next() == nil
    }

    /// Removes whatever is at a path, links not followed; nothing there is fine.
    static func removeTree(_ path: String) throws {
        guard try kind(of: path) != nil else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw ExportError(code: .inputOutput, description: "cannot remove \(path): \(error.localizedDescription)")
        }
    }

    /// Removes a directory that holds nothing.
    static func removeIfEmpty(_ path: String) { rmdir(path) }

    /// The steps of a path within a directory; `nil` for a path that may lead elsewhere.
    static func steps(within path: String) -> [Substring]? {
        let steps = path.split(separator: "/", omittingEmptySubsequences: false)
        return steps.contains { ["", ".", ".."].contains($0) } || path.utf8.contains(0) ? nil : steps
    }

    /// Throws when any step of a path below a directory is a link, which could lead anywhere.
    static func refuseLinks(_ path: String, in directory: String) throws {
        var reached = directory
        for step in path.split(separator: "/") {
            reached += "/\(step)"
            if try kind(of: reached) == .link { throw ExportError.link(reached) }
        }
    }

    /// The absolute path without `.`, `..` and a slash at its end, found without a look at the disk.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - directory: Where it begins unless it is absolute; the working directory if `nil`.
    /// - Returns: The absolute path.
    package static func absolute(_ path: String, from directory: String? = nil) -> String {
        var steps: [Substring] = []
        let start = path.hasPrefix("/") ? "" : directory ?? FileManager.default.currentDirectoryPath
        for step in "\(start)/\(path)".split(separator: "/") where step != "." {
            if step != ".." { steps.append(step) } else if !steps.isEmpty { steps.removeLast() }
        }
        return "/" + steps.joined(separator: "/")
    }
}

/// A file of an export.
typealias ExportFile = OpenFile<ExportError>

extension OpenFile where Failure == ExportError {
    /// Opens a file for reading; throws for anything but a regular file, links to one included.
    static func reading(_ path: String) throws -> ExportFile {
        let file = try ExportFile(path, .reading, [.notFollowing, .notWaiting])
        guard try file.status().kind == .regular else { throw ExportError.badFile(path, because: "is no regular file") }
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
        guard let bytes = try bytes(upTo: limit) else {
            throw ExportError.badFile(path, because: "is larger than \(limit) bytes, the limit for its kind")
        }
        return bytes
    }
}
