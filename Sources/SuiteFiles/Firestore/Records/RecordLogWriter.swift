// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// Writes records to a file, through a buffer of a fixed size.
struct RecordLogWriter {
    private static let bufferByteCount = 256 << 10

    private let file: ExportFile
    private var buffer: [UInt8] = []
    /// The bytes that the block still takes.
    private var room = RecordLog.blockByteCount
    /// The size of the log so far.
    private(set) var byteCount: Int64 = 0

    init(_ file: ExportFile) {
        self.file = file
        buffer.reserveCapacity(Self.bufferByteCount + RecordLog.blockByteCount)
    }

    mutating func append(_ record: UnsafeRawBufferPointer) throws {
        guard record.count <= RecordLog.recordByteCountMax else { throw ExportError.largeRecord(record.count) }
        var rest = record
        var isFirst = true
        var isLast = false
        while !isLast {
            fillBlockWithoutRoom()
            let content = UnsafeRawBufferPointer(rebasing: rest.prefix(room - RecordLog.headerByteCount))
            isLast = content.count == rest.count
            append(RecordLog.Kind(isFirst: isFirst, isLast: isLast), content)
            rest = UnsafeRawBufferPointer(rebasing: rest[content.count...])
            isFirst = false
            if buffer.count >= Self.bufferByteCount { try flush() }
        }
    }

    mutating func append(_ record: [UInt8]) throws {
        try record.withUnsafeBytes { try append($0) }
    }

    /// Hands everything to the kernel.
    mutating func flush() throws {
        try buffer.withUnsafeBytes { try file.append($0) }
        buffer.removeAll(keepingCapacity: true)
    }

    private mutating func fillBlockWithoutRoom() {
        guard room < RecordLog.headerByteCount else { return }
        buffer.append(contentsOf: repeatElement(0, count: room))
        byteCount += Int64(room)
        room = RecordLog.blockByteCount
    }

    private mutating func append(_ kind: RecordLog.Kind, _ content: UnsafeRawBufferPointer) {
        withUnsafeBytes(of: RecordLog.checksum(of: kind, content).littleEndian) { buffer.append(contentsOf: $0) }
        buffer.append(UInt8(content.count & 0xFF))
        buffer.append(UInt8(content.count >> 8))
        buffer.append(kind.rawValue)
        buffer.append(contentsOf: content)
        let count = RecordLog.headerByteCount + content.count
        room -= count
        byteCount += Int64(count)
    }
}
