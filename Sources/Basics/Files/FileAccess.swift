// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The use of an open file.
package enum FileAccess: Sendable {
    case reading
    case readingAndWriting
    /// A directory, to be locked, or to be synchronized.
    case directory

    /// A file is created for its owner alone.
    static let ownerMode: mode_t = 0o600
    static let ownerDirectoryMode: mode_t = 0o700

    var operation: FileFault.Operation {
        switch self {
        case .reading: .openForReading
        case .readingAndWriting: .openForWriting
        case .directory: .openDirectory
        }
    }

    var flags: CInt {
        switch self {
        case .reading: O_RDONLY
        case .readingAndWriting: O_RDWR
        case .directory: O_RDONLY | O_DIRECTORY
        }
    }
}

/// How a file is opened.
package struct FileOptions: OptionSet, Sendable {
    package let rawValue: CInt

    package init(rawValue: CInt) { self.rawValue = rawValue }

    /// Creates the file where there is none.
    package static let creating = FileOptions(rawValue: O_CREAT)
    /// With `creating`: refuses a file that is there.
    package static let exclusively = FileOptions(rawValue: O_EXCL)
    /// Removes what the file holds.
    package static let emptying = FileOptions(rawValue: O_TRUNC)
    /// Every write goes to the file's end, whatever other processes write.
    package static let atEnd = FileOptions(rawValue: O_APPEND)
    /// Refuses a symbolic link.
    package static let notFollowing = FileOptions(rawValue: O_NOFOLLOW)
    /// Does not wait for the writer of a named pipe.
    package static let notWaiting = FileOptions(rawValue: O_NONBLOCK)
}
