// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An open file that closes itself when it is let go.
final class PosixFile: Sendable {
    private let path: String
    private let descriptor: CInt

    /// Logs contain what users did: their owner alone reads them, unless he made the file himself.
    private static let ownerMode: mode_t = 0o600

    /// Opens a file for reading.
    init(reading path: String) throws(SessionLogError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else { throw .fileUnreadable(path, errno: errno) }
    }

    /// Opens a file, or creates it for its owner, so that every write goes to its end whatever other processes write.
    init(appendingTo path: String) throws(SessionLogError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, Self.ownerMode)
        self.path = path
        guard descriptor >= 0 else { throw .fileUnwritable(path, errno: errno) }
    }

    /// Creates a file for its owner, or empties it, and hands it to the caller, who closes it.
    static func descriptor(creating path: String) throws(SessionLogError) -> CInt {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, ownerMode)
        guard descriptor >= 0 else { throw .fileUnwritable(path, errno: errno) }
        return descriptor
    }

    /// Closes what was not handed to anything that does.
    static func close(_ descriptor: CInt) { _ = CLibrary.close(descriptor) }

    deinit {
        if descriptor >= 0 { Self.close(descriptor) }
    }

    /// Hands all bytes to the kernel in one call; returns how many it took.
    func append(_ bytes: [UInt8]) throws(SessionLogError) -> Int {
        let count = bytes.withUnsafeBytes { buffer in
            Self.retrying { write(descriptor, buffer.baseAddress, buffer.count) }
        }
        guard count >= 0 else { throw .fileUnwritable(path, errno: CInt(-count)) }
        return count
    }

    /// The file's last byte; `nil` for an empty file.
    func lastByte() throws(SessionLogError) -> UInt8? {
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 0 else { throw .fileUnreadable(path, errno: errno) }
        guard end > 0 else { return nil }
        var byte: UInt8 = 0
        let count = Self.retrying { pread(descriptor, &byte, 1, end - 1) }
        guard count >= 0 else { throw .fileUnreadable(path, errno: CInt(-count)) }
        return count == 0 ? nil : byte
    }

    /// Waits until all of it is on the disk.
    func synchronize() throws(SessionLogError) {
        guard fsync(descriptor) == 0 else { throw .fileUnwritable(path, errno: errno) }
    }

    /// Whether this is still the file of a name, and how many bytes it has.
    func status(at path: String) throws(SessionLogError) -> (isThere: Bool, byteCount: Int64) {
        var (own, named) = (stat(), stat())
        guard fstat(descriptor, &own) == 0 else { throw .fileUnwritable(self.path, errno: errno) }
        let isThere = stat(path, &named) == 0 && own.st_ino == named.st_ino && own.st_dev == named.st_dev
        return (isThere, Int64(own.st_size))
    }

    /// Who else may hold the lock on a file.
    enum Lock {
        /// All who write lines.
        case shared
        /// No caller.
        case exclusive
    }

    /// Runs the body while no other process holds the lock on this file, but to share it.
    func withLock<Result>(
        _ lock: Lock,
        _ body: () throws(SessionLogError) -> Result
    ) throws(SessionLogError) -> Result {
        let result = Self.retrying { Int(flock(descriptor, lock == .shared ? LOCK_SH : LOCK_EX)) }
        guard result == 0 else { throw .fileUnwritable(path, errno: CInt(-result)) }
        defer { _ = flock(descriptor, LOCK_UN) }
        return try body()
    }

    static func reason(_ errno: CInt) -> String { String(cString: strerror(errno)) }

    /// The error number of what is not there.
    static var missingError: CInt { ENOENT }

    /// The error number of the last call that failed.
    static var lastError: CInt { errno }

    /// Gives a file another name.
    static func rename(_ path: String, to newPath: String) throws(SessionLogError) {
        guard CLibrary.rename(path, newPath) == 0 else { throw .fileUnwritable(newPath, errno: errno) }
    }

    /// The path without symbolic links; as it is where there is no file.
    static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Removes a file, if it is there.
    static func remove(_ path: String) { _ = unlink(path) }

    /// The call's result, or its error number negated: anything that runs in between may change `errno`.
    private static func retrying(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { return -Int(errno) }
        }
    }
}

/// Functions whose names would be taken for our own.
private enum CLibrary {
    static func close(_ descriptor: CInt) -> CInt {
        #if canImport(Darwin)
        Darwin.close(descriptor)
        #elseif canImport(Musl)
        Musl.close(descriptor)
        #else
        Glibc.close(descriptor)
        #endif
    }

    static func rename(_ path: String, _ newPath: String) -> CInt {
        #if canImport(Darwin)
        Darwin.rename(path, newPath)
        #elseif canImport(Musl)
        Musl.rename(path, newPath)
        #else
        Glibc.rename(path, newPath)
        #endif
    }
}
