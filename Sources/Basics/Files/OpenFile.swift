// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An open file or directory, closed with its last reference.
///
/// Children of the process do not inherit it: they would hold its lock. A call that a signal interrupts is made again.
package final class OpenFile<Failure: FileFailure>: Sendable {
    package let path: String
    /// For calls that are not here; closed with the file.
    package let descriptor: CInt

    /// Opens a file, or creates it.
    package init(_ path: String, _ access: FileAccess, _ options: FileOptions = []) throws(Failure) {
        let descriptor = openDescriptor(path, access: access, options: options)
        guard descriptor >= 0 else { throw Failure(FileFault(access.operation, path)) }
        self.path = path
        self.descriptor = descriptor
    }

    /// Opens a file; returns `nil` where there is none.
    package init?(ifThere path: String, _ access: FileAccess, _ options: FileOptions = []) throws(Failure) {
        let descriptor = openDescriptor(path, access: access, options: options)
        guard descriptor >= 0 else {
            let fault = FileFault(access.operation, path)
            guard fault.isMissing else { throw Failure(fault) }
            return nil
        }
        self.path = path
        self.descriptor = descriptor
    }

    /// Reads from a descriptor that is open, such as that of standard input, and leaves it open.
    package init(copyOf descriptor: CInt, named name: String) throws(Failure) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Failure(FileFault(.openForReading, name)) }
        path = name
        self.descriptor = copy
    }

    deinit { _ = close(descriptor) }

    private func failure(_ operation: FileFault.Operation) -> Failure { Failure(FileFault(operation, path)) }
}

extension OpenFile {
    /// Reads what is there, at most the buffer's size; 0 only at the end of the file or for an empty buffer.
    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let count = retrying { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
        guard count >= 0 else { throw failure(.read) }
        return count
    }

    /// Reads on from the last such read what is there, at most the buffer's size; 0 only at the end, or for an empty buffer.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let count = retrying { posixRead(descriptor, buffer.baseAddress, buffer.count) }
        guard count >= 0 else { throw failure(.read) }
        return count
    }

    /// Hands out all the bytes in their order, a piece at a time; returns how many they are.
    package func readAll(
        pieceByteCount: Int = 1 << 20,
        _ take: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Int64 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceByteCount, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try read(at: offset, into: buffer)
            guard count > 0 else { return offset }
            try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
    }

    /// Hands bytes to the kernel in one call; returns how many it took.
    package func appendOnce(_ bytes: [UInt8]) throws(Failure) -> Int {
        let count = bytes.withUnsafeBytes { write($0) }
        guard count >= 0 else { throw failure(.write) }
        return count
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        retrying { posixWrite(descriptor, bytes.baseAddress, bytes.count) }
    }

    /// Writes all the bytes at the end of what was written.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = write(rest)
            guard count >= 0 else { throw failure(.write) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    package func status() throws(Failure) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(.examine) }
        return FileStatus(status)
    }

    /// Waits until the bytes, or a directory's names, survive the death of the machine.
    package func synchronize() throws(Failure) {
        guard fsync(descriptor) == 0 else { throw failure(.synchronize) }
    }
}

/// The locks on a file, which processes keep by agreement.
package enum FileLock: Sendable {
    /// Several may hold it at a time.
    case shared
    case exclusive

    fileprivate var operation: CInt { self == .shared ? LOCK_SH : LOCK_EX }
}

extension OpenFile {
    /// Waits for the lock, which is held until it is given back or the file is closed.
    package func lock(_ lock: FileLock) throws(Failure) {
        guard retrying({ Int(flock(descriptor, lock.operation)) }) == 0 else { throw failure(.lock) }
    }

    /// Takes the exclusive lock; returns `false` when another open file has it.
    package func tryLock() throws(Failure) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw failure(.lock) }
        return false
    }

    /// Gives the lock back.
    package func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// Runs the body while this file has the lock.
    package func withLock<Result>(_ lock: FileLock, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try self.lock(lock)
        defer { unlock() }
        return try body()
    }
}

private func openDescriptor(_ path: String, access: FileAccess, options: FileOptions) -> CInt {
    open(path, access.flags | options.rawValue | O_CLOEXEC, FileAccess.ownerMode)
}

/// The result of a call that no signal interrupted; a negative one leaves its reason in `errno`.
private func retrying(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

// In a method of the same name these functions cannot be called.
private let posixRead = read
private let posixWrite = write
