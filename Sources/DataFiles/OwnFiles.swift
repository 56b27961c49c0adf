// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Files and directories that their owner alone can use, whatever the umask of the process.
package enum OwnFiles {
    private static let othersMask: mode_t = 0o077

    /// Creates the file of a database, which SQLite itself would let every user read, or closes it to others.
    ///
    /// SQLite gives its log and its index of the log the permissions of the file; those that are there are closed, too.
    /// A failure here is ignored: it occurs again, with a better message, when SQLite opens the file.
    package static func prepareDatabase(_ path: String) {
        if (try? OpenFile<FileFault>(path, .readingAndWriting, [.creating, .exclusively])) != nil { return }
        // By its name: closing a descriptor would give back the locks that another connection of the process holds.
        for file in [path, path + "-wal", path + "-shm", path + "-journal"] { closeToOthers(file) }
    }

    /// Takes the permissions on a file or directory from everyone but its owner.
    ///
    /// One that belongs to another user stays as it is: its owner decides.
    package static func closeToOthers(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & othersMask != 0 else { return }
        guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return }
        _ = chmod(path, status.st_mode & ~S_IFMT & ~othersMask)
    }
}
