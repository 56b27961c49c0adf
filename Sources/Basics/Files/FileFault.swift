// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A call to the file system that failed.
package struct FileFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The call that failed.
    package enum Operation: Sendable {
        case openForReading, openForWriting, openDirectory, create, read, write, synchronize, examine, lock, list, move,
            link, remove
    }

    package let operation: Operation
    package let path: String
    /// The value of `errno` behind the call.
    package let number: CInt

    package init(_ operation: Operation, _ path: String, number: CInt = errno) {
        self.operation = operation
        self.path = path
        self.number = number
    }

    /// Whether there is no such file, or no such directory.
    package var isMissing: Bool { number == ENOENT }

    /// Whether the path leads to a symbolic link, which was not to be followed.
    package var isLink: Bool { number == ELOOP }

    /// Whether a part of the path is not a directory.
    package var isNoDirectory: Bool { number == ENOTDIR }

    /// Whether the process may not do this.
    package var isRefusal: Bool { [EACCES, EPERM, EROFS].contains(number) }

    /// Whether the disk, or the user's part of it, has no room left.
    package var isDiskFull: Bool { [ENOSPC, EDQUOT].contains(number) }

    /// The system's words, as "No space left on device".
    package var reason: String { String(cString: strerror(number)) }

    /// For example, "cannot open /data/objects.lock: Permission denied".
    package var description: String { "cannot \(operation.words) \(path): \(reason)" }
}

extension FileFault.Operation {
    fileprivate var words: String {
        switch self {
        case .openForReading, .openForWriting, .openDirectory: "open"
        case .create: "create"
        case .read: "read"
        case .write: "write"
        case .synchronize: "synchronize"
        case .examine: "examine"
        case .lock: "lock"
        case .list: "list"
        case .move: "move a file to"
        case .link: "link a file to"
        case .remove: "remove"
        }
    }
}

/// An error that a room throws where the file system fails.
///
/// ``OpenFile`` and ``FileSystem`` throw the error of the room that uses them; `FileFault` itself is for those without one.
package protocol FileFailure: Error {
    init(_ fault: FileFault)
}

extension FileFault: FileFailure {
    package init(_ fault: FileFault) { self = fault }
}
