// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
package import Darwin
#elseif canImport(Musl)
package import Musl
#else
package import Glibc
#endif

/// Files and directories that their owner alone can use, whatever the umask of the process.
package enum OwnFiles {
    /// The permissions of a file: to read and write it.
    package static let fileMode: mode_t = 0o600
    /// The permissions of a directory: to read, write and enter it.
    package static let directoryMode: mode_t = 0o700

    private static let othersMask: mode_t = 0o077

    /// Creates the file of a database, which SQLite itself would let every user read, or closes it to others.
    ///
    /// SQLite gives its log and its index of the log the permissions of the file; those that are there are closed, too.
    /// A failure here is ignored: it occurs again, with a better message, when SQLite opens the file.
    package static func prepareDatabase(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, fileMode)
        if descriptor >= 0 {
            close(descriptor)
            return
        }
        // By its name: closing a descriptor would give back the locks that another connection of the process holds.
        for file in [path, path + "-wal", path + "-shm", path + "-journal"] { closeToOthers(file) }
    }

    /// Creates a directory and those above it; returns 0, also where it is there already, or an error number.
    package static func createDirectory(_ path: String) -> CInt {
        if mkdir(path, directoryMode) == 0 { return 0 }
        switch errno {
        case EEXIST:
            return isDirectory(path) ? 0 : ENOTDIR
        case ENOENT:
            guard let parent = parent(of: path) else { return ENOENT }
            let error = createDirectory(parent)
            guard error == 0 else { return error }
            return mkdir(path, directoryMode) == 0 || errno == EEXIST ? 0 : errno
        case let error:
            return error
        }
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

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func parent(of path: String) -> String? {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        guard let slash = trimmed.lastIndex(of: "/"), slash != trimmed.startIndex else { return nil }
        return String(trimmed[..<slash])
    }
}
