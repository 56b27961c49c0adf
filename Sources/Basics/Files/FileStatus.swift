// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
package import Darwin
#elseif canImport(Musl)
package import Musl
#else
package import Glibc
#endif

/// The kind, size and owner of a file.
package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable {
        case regular
        case directory
        case link
        /// A named pipe, a socket or a device, which may never end, or never even open.
        case other
    }

    /// Equal for two names of the same file.
    package struct Identity: Sendable, Equatable {
        fileprivate let device: dev_t
        fileprivate let inode: ino_t

        /// Whether both files are in one file system.
        package func isOnSameDevice(as other: Self) -> Bool { device == other.device }
    }

    package let kind: Kind
    package let byteCount: Int64
    package let identity: Identity
    package let owner: uid_t

    package init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        byteCount = Int64(status.st_size)
        identity = Identity(device: status.st_dev, inode: status.st_ino)
        owner = status.st_uid
    }
}
