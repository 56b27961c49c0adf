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

/// A file of an export, closed with its last reference.
final class ExchangeFile: Sendable {
    /// Bytes read at a time.
    private static let pieceByteCount = 1 << 20

    private let descriptor: CInt
    private let path: String

    private init(_ descriptor: CInt, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    /// Opens a file for reading; throws for anything but a regular file, links to one included.
    static func reading(_ path: String) throws -> ExchangeFile {
        // Without waiting, as a pipe would make it.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: throw ExchangeError.badFile(path, "is missing")
            case ELOOP: throw ExchangeError.link(path)
            default: throw ExchangeError.system("read", path)
            }
        }
        let file = ExchangeFile(descriptor, path)
        guard try file.status().st_mode & S_IFMT == S_IFREG else {
            throw ExchangeError.badFile(path, "is no regular file")
        }
        return file
    }

    /// Creates a file for its owner, which must not exist.
    static func creating(_ path: String) throws -> ExchangeFile {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, OwnFiles.fileMode)
        guard descriptor >= 0 else { throw ExchangeError.system("create", path) }
        return ExchangeFile(descriptor, path)
    }

    /// Creates a file that holds a text.
    static func create(_ path: String, holding text: String, isDurable: Bool = false) throws {
        let file = try creating(path)
        var text = text
        try text.withUTF8 { try file.append(UnsafeRawBufferPointer($0)) }
        if isDurable { try file.synchronize() }
    }

    func byteCount() throws -> Int64 { Int64(try status().st_size) }

    private func status() throws -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw ExchangeError.system("examine", path) }
        return status
    }

    /// Hands out all the bytes in their order.
    func read(_ take: (UnsafeRawBufferPointer) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceByteCount, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count == 0 { return }
            if count > 0 {
                try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += Int64(count)
            } else if errno != EINTR {
                throw ExchangeError.system("read", path)
            }
        }
    }

    /// Returns a small file; throws for one that is larger than `limit`.
    func contents(upTo limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try read { piece in
            guard bytes.count + piece.count <= limit else {
                throw ExchangeError.badFile(path, "is larger than \(limit) bytes, the limit for its kind")
            }
            bytes.append(contentsOf: piece)
        }
        return bytes
    }

    /// Writes all the bytes at the end.
    func append(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw ExchangeError.system("write", path)
            }
        }
    }

    /// Waits until the bytes survive the death of the machine.
    func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw ExchangeError.system("synchronise", path) }
    }
}
