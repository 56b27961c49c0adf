// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import CFileSystem

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A directory in which no other process replaces anything until the last reference goes.
package final class LockedDirectory: Sendable {
    private let directory: OpenFile<ExportError>

    /// Waits for others; a file system that knows no locks has none to wait for.
    package init(_ path: String) throws {
        directory = try OpenFile(path, .directory)
        try? directory.lock(.exclusive)
    }

    /// Locks a directory of this user that no other process has; `nil` for any other, and where a link is.
    package init?(unlocked path: String) {
        guard let directory = try? OpenFile<ExportError>(path, .directory, .notFollowing),
            (try? directory.status())?.owner == geteuid(), (try? directory.tryLock()) == true
        else { return nil }
        self.directory = directory
    }

    /// Whether the path still leads to the directory.
    package var isInPlace: Bool {
        guard let own = try? directory.status(),
            let found = try? FileSystem<ExportError>.status(of: directory.path, followingLinks: false)
        else { return false }
        return own.identity == found.identity
    }

    /// Waits until all files of the file system survive the death of the machine: cheaper than one wait for each.
    func synchronizeFileSystem() throws {
        guard firemeter_synchronize_file_system(directory.descriptor) == 0 else {
            throw ExportError(FileFault(.synchronize, directory.path))
        }
    }

    /// Waits until the names in the directory survive the death of the machine.
    func synchronize() throws { try directory.synchronize() }
}
