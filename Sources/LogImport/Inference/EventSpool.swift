// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import SessionLog

/// Events in the order in which they were added: a block in memory, all before it in a temporary file without a name.
struct EventSpool {
    private static let blockByteCount = 256 << 10

    private var block = NumberBytes()
    private var file: OpenFile<SessionLogError>?
    private var blockByteCounts: [Int] = []
    private(set) var count = 0

    mutating func append(_ event: ActivityEvent) throws(SessionLogError) {
        event.append(to: &block)
        count += 1
        if block.bytes.count >= Self.blockByteCount { try flush() }
    }

    /// The events, which can be read any number of times.
    var stored: StoredEvents { StoredEvents(file: file, blockByteCounts: blockByteCounts, last: block.bytes) }

    private mutating func flush() throws(SessionLogError) {
        let file = if let file { file } else { try Self.unnamedFile() }
        self.file = file
        let outcome = block.bytes.withUnsafeBytes { bytes in
            Result<Void, SessionLogError> { () throws(SessionLogError) in try file.append(bytes) }
        }
        try outcome.get()
        blockByteCounts.append(block.bytes.count)
        block.removeAll()
    }

    /// A file that is gone with its last reference, also after a crash.
    private static func unnamedFile() throws(SessionLogError) -> OpenFile<SessionLogError> {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("firemeter-\(UUID().uuidString)").path
        let file = try OpenFile<SessionLogError>(path, .readingAndWriting, [.creating, .emptying])
        try? FileManager.default.removeItem(atPath: path)
        return file
    }
}

/// The events of a spool.
struct StoredEvents: Sendable {
    fileprivate let file: OpenFile<SessionLogError>?
    fileprivate let blockByteCounts: [Int]
    fileprivate let last: [UInt8]

    /// Hands out the events in their order.
    func read(_ body: (ActivityEvent) throws(SessionLogError) -> Void) throws(SessionLogError) {
        var offset: Int64 = 0
        for byteCount in blockByteCounts {
            try Self.read(try block(byteCount, at: offset), body)
            offset += Int64(byteCount)
        }
        try Self.read(last, body)
    }

    private static func read(
        _ bytes: [UInt8],
        _ body: (ActivityEvent) throws(SessionLogError) -> Void
    ) throws(SessionLogError) {
        var numbers = NumberBytes.Reader(bytes)
        while let event = ActivityEvent(from: &numbers) { try body(event) }
    }

    private func block(_ byteCount: Int, at offset: Int64) throws(SessionLogError) -> [UInt8] {
        guard let file else { preconditionFailure("blocks are in the file") }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var count = 0
        while count < byteCount {
            let read: Result<Int, SessionLogError> = bytes.withUnsafeMutableBytes { buffer in
                Result { () throws(SessionLogError) in
                    try file.read(
                        at: offset + Int64(count),
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
}
