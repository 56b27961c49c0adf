// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CFileExchange

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A directory in which no other process replaces anything until the last reference goes.
final class LockedDirectory: Sendable {
    private let descriptor: CInt
    private let path: String

    /// Waits for others; a file system that knows no locks has none to wait for.
    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else { throw ExchangeError.system("open", path) }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    /// Locks a directory of this user that no other process has; `nil` for any other, and where a link is.
    init?(unlocked path: String) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    /// Whether the path still leads to the directory.
    var isInPlace: Bool {
        var (own, found) = (stat(), stat())
        guard fstat(descriptor, &own) == 0, lstat(path, &found) == 0 else { return false }
        return own.st_dev == found.st_dev && own.st_ino == found.st_ino
    }

    /// Waits until all files of the file system survive the death of the machine: cheaper than one wait for each.
    func synchronizeFileSystem() throws {
        guard firemeter_synchronise_file_system(descriptor) == 0 else {
            throw ExchangeError.system("synchronise", path)
        }
    }

    /// Waits until the names in the directory survive the death of the machine.
    func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw ExchangeError.system("synchronise", path) }
    }
}
