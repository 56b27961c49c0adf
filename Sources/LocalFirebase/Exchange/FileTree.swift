// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DataFiles
import Foundation

/// The directory operations of exports.
enum FileTree {
    enum Kind {
        case nothing
        case directory
        case file
        case link
        case other
    }

    /// The kind of file at a path, links not followed.
    static func kind(of path: String) throws -> Kind {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return .nothing }
            throw ExchangeError.system("examine", path)
        }
        return switch status.st_mode & S_IFMT {
        case S_IFDIR: .directory
        case S_IFREG: .file
        case S_IFLNK: .link
        default: .other
        }
    }

    /// Whether a directory, which a link may lead to, holds nothing; throws when it is none.
    static func isEmpty(_ path: String) throws -> Bool {
        guard let stream = opendir(path) else {
            throw errno == ENOTDIR ? ExchangeError.notADirectory(path) : .system("list", path)
        }
        defer { closedir(stream) }
        while let name = nextName(in: stream) {
            if name != ".", name != ".." { return false }
        }
        return true
    }

    /// Returns the next name in a directory, `.` and `..` too; `nil` at the end.
    static func nextName(in stream: DirectoryStream) -> String? {
        guard let entry = readdir(stream) else { return nil }
        return withUnsafeBytes(of: &entry.pointee.d_name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// Creates a directory for its owner, which must not exist.
    static func createDirectory(_ path: String) throws {
        guard mkdir(path, OwnFiles.directoryMode) == 0 else { throw ExchangeError.system("create", path) }
    }

    /// Removes whatever is at a path, links not followed; nothing there is fine.
    static func remove(_ path: String) throws {
        guard try kind(of: path) != .nothing else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw ExchangeError(code: .inputOutput, description: "cannot remove \(path): \(error.localizedDescription)")
        }
    }

    /// Removes a directory that holds nothing.
    static func removeIfEmpty(_ path: String) { rmdir(path) }

    /// Gives a file or directory another name in the same file system.
    static func move(_ source: String, to target: String) throws {
        guard rename(source, target) == 0 else { throw ExchangeError.system("move a file to", target) }
    }

    /// The absolute path without `.`, `..` and a slash at its end; links are not followed.
    static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }
}

#if canImport(Darwin)
typealias DirectoryStream = UnsafeMutablePointer<DIR>
#else
typealias DirectoryStream = OpaquePointer
#endif
