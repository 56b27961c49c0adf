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

    /// Opens a file for reading.
    init(reading path: String) throws(SessionLogError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else { throw .fileUnreadable(path, errno: errno) }
    }

    /// Opens a file, or creates it, so that every write goes to its end whoever else writes.
    init(appendingTo path: String) throws(SessionLogError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        self.path = path
        guard descriptor >= 0 else { throw .fileUnwritable(path, errno: errno) }
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// Reads on from the last read; empty at the end of the file.
    func nextChunk(upTo byteCountMax: Int) throws(SessionLogError) -> [UInt8] {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCountMax) { buffer, initializedCount in
            count = Self.retrying { read(descriptor, buffer.baseAddress, byteCountMax) }
            initializedCount = max(0, count)
        }
        guard count >= 0 else { throw .fileUnreadable(path, errno: CInt(-count)) }
        return bytes
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

    /// Runs the body while no other process holds the lock on this file.
    func withExclusiveLock<Result>(
        _ body: () throws(SessionLogError) -> Result
    ) throws(SessionLogError) -> Result {
        let result = Self.retrying { Int(flock(descriptor, LOCK_EX)) }
        guard result == 0 else { throw .fileUnwritable(path, errno: CInt(-result)) }
        defer { _ = flock(descriptor, LOCK_UN) }
        return try body()
    }

    static func reason(_ errno: CInt) -> String { String(cString: strerror(errno)) }

    /// The call's result, or its error number negated: anything that runs in between may change `errno`.
    private static func retrying(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { return -Int(errno) }
        }
    }
}
