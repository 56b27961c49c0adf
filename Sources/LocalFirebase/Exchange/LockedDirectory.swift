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

/// A directory in which nobody else replaces anything until the last reference goes.
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

    deinit {
        close(descriptor)
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
