// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import SessionLog

/// Blocks of bytes in a temporary file without a name, which is gone with its last reference, also after a crash.
struct BlockFile: Sendable {
    /// Where a block is.
    struct Block: Sendable {
        fileprivate let offset: Int64
        fileprivate let byteCount: Int
    }

    private var file: OpenFile<SessionLogError>?
    private var byteCount: Int64 = 0

    /// Puts a block behind the others; the first one makes the file.
    mutating func append(_ bytes: [UInt8]) throws(SessionLogError) -> Block {
        let file = if let file { file } else { try Self.unnamedFile() }
        self.file = file
        let outcome = bytes.withUnsafeBytes { bytes in
            Result<Void, SessionLogError> { () throws(SessionLogError) in try file.append(bytes) }
        }
        try outcome.get()
        defer { byteCount += Int64(bytes.count) }
        return Block(offset: byteCount, byteCount: bytes.count)
    }

    /// The bytes of a block.
    func read(_ block: Block) throws(SessionLogError) -> [UInt8] {
        guard let file else { preconditionFailure("a block is in the file") }
        var bytes = [UInt8](repeating: 0, count: block.byteCount)
        var count = 0
        while count < block.byteCount {
            let read: Result<Int, SessionLogError> = bytes.withUnsafeMutableBytes { buffer in
                Result { () throws(SessionLogError) in
                    try file.read(
                        at: block.offset + Int64(count),
                        into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                    )
                }
            }
            let added = try read.get()
            guard added > 0 else { throw SessionLogError(FileFault(.read, file.path)) }
            count += added
        }
        return bytes
    }

    private static func unnamedFile() throws(SessionLogError) -> OpenFile<SessionLogError> {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("firemeter-\(UUID().uuidString)").path
        let file = try OpenFile<SessionLogError>(path, .readingAndWriting, [.creating, .emptying])
        try? FileManager.default.removeItem(atPath: path)
        return file
    }
}
