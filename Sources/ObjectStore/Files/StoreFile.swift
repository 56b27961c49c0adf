// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DataFiles

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An open file, closed when the last reference to it goes.
final class StoreFile: Sendable {
    let descriptor: CInt
    let path: String

    private init(descriptor: CInt, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    // Children of the process must not inherit the file: they would hold its lock.
    private static func opening(_ path: String, flags: CInt) throws -> StoreFile {
        let descriptor = open(path, flags | O_CLOEXEC, OwnFiles.fileMode)
        guard descriptor >= 0 else { throw ObjectStoreError.system("open", path) }
        return StoreFile(descriptor: descriptor, path: path)
    }

    /// Opens a file for reading; `nil` when there is none.
    static func openingForReading(_ path: String) throws -> StoreFile? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 { return StoreFile(descriptor: descriptor, path: path) }
        guard errno == ENOENT else { throw ObjectStoreError.system("open", path) }
        return nil
    }

    /// Opens a file for reading and writing at its end; `nil` when there is none.
    static func openingForAppending(_ path: String) throws -> StoreFile? {
        let descriptor = open(path, O_RDWR | O_APPEND | O_CLOEXEC)
        if descriptor >= 0 { return StoreFile(descriptor: descriptor, path: path) }
        guard errno == ENOENT else { throw ObjectStoreError.system("open", path) }
        return nil
    }

    /// Creates a file that must not exist.
    static func creating(_ path: String) throws -> StoreFile {
        try opening(path, flags: O_RDWR | O_CREAT | O_EXCL)
    }

    /// Opens a file for reading and writing, which is created if need be.
    static func openingOrCreating(_ path: String) throws -> StoreFile {
        try opening(path, flags: O_RDWR | O_CREAT)
    }

    /// Opens a directory, to synchronise it.
    static func openingDirectory(_ path: String) throws -> StoreFile {
        try opening(path, flags: O_RDONLY | O_DIRECTORY)
    }

    /// Writes all the bytes at the end.
    func append(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw ObjectStoreError.system("write", path)
            }
        }
    }

    /// Reads what is there, at most the buffer's size; 0 only at the end of the file or for an empty buffer.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw ObjectStoreError.system("read", path) }
        }
    }

    func byteCount() throws -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw ObjectStoreError.system("examine", path) }
        return Int64(status.st_size)
    }

    /// Waits until the bytes survive the death of the machine.
    func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw ObjectStoreError.system("synchronise", path) }
    }

    /// Gives the lock back.
    func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// Takes an exclusive advisory lock, held until it is given back or the file is closed.
    ///
    /// - Returns: `false` when another open file has it.
    func tryLock() throws -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw ObjectStoreError.system("lock", path) }
        return false
    }
}
