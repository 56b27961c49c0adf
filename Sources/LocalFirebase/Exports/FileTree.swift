// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation

/// The directory operations of exports.
typealias FileTree = FileSystem<ExportError>

extension FileSystem where Failure == ExportError {
    /// The kind of file at a path, links not followed; `nil` where nothing is.
    static func kind(of path: String) throws -> FileStatus.Kind? { try status(of: path, followingLinks: false)?.kind }

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

    /// The absolute path without `.`, `..` and a slash at its end; links are not followed.
    static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }
}
