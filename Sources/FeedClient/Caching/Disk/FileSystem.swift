// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension FileHandle {
    /// Opens a file for reading and writing, or creates an empty one; `nil` when that fails.
    static func updating(_ url: URL) -> FileHandle? {
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Waits until no other process holds the file's lock, and takes it; the kernel lets it go with the process.
    func lock() { while flock(fileDescriptor, LOCK_EX) != 0 && errno == EINTR {} }

    /// Takes the file's lock unless another process, or another handle of this one, holds it.
    func tryLock() -> Bool { flock(fileDescriptor, LOCK_EX | LOCK_NB) == 0 }

    func unlock() { _ = flock(fileDescriptor, LOCK_UN) }

    /// Whether the handle's file is the one that has this name now.
    func isFile(at url: URL) -> Bool {
        var (own, named) = (stat(), stat())
        return fstat(fileDescriptor, &own) == 0 && stat(url.path, &named) == 0
            && own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }
}

/// Gives a file another name, in place of a file that may have it.
func renameFile(_ file: URL, to newFile: URL) throws {
    guard rename(file.path, newFile.path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

extension URL {
    /// When the file was last written to; the distant past when it is gone.
    var modificationDate: Date {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.modificationDate] as? Date ?? .distantPast
    }
}
