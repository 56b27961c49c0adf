// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// Reads the records of a file, one block at a time.
struct RecordLogReader {
    private let file: ExportFile
    private let onRead: (Int) -> Void
    /// The first pieces of a record; `nil` between records.
    private var begun: [UInt8]?
    /// Where in the file the block begins.
    private var blockOffset: Int64 = 0

    /// Reads a file; `onRead` takes the size of each block.
    init(_ file: ExportFile, onRead: @escaping (Int) -> Void = { _ in }) {
        (self.file, self.onRead) = (file, onRead)
    }

    /// Hands out every record; each is valid for the call only.
    ///
    /// - Throws: `ExportError` (bad data) for a log that is damaged or cut off; errors of `take`.
    mutating func visit(_ take: (UnsafeRawBufferPointer) throws -> Void) throws {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: RecordLog.blockByteCount, alignment: 16)
        defer { block.deallocate() }
        var count = block.count
        while count == block.count {
            count = try fill(block)
            onRead(count)
            try visit(block: UnsafeRawBufferPointer(rebasing: block[..<count]), take)
            blockOffset += Int64(count)
        }
        guard begun == nil else { throw invalid("the file ends within it", at: 0) }
    }

    /// Reads the next block; a part of one only at the file's end.
    private func fill(_ block: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < block.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: block[filled...])
            let count = try file.read(at: blockOffset + Int64(filled), into: rest)
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }

    private mutating func visit(
        block: UnsafeRawBufferPointer,
        _ take: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var position = 0
        while block.count - position >= RecordLog.headerByteCount {
            let rest = UnsafeRawBufferPointer(rebasing: block[position...])
            guard rest[6] != 0 || !Self.isPadding(rest) else { return }
            let piece = try piece(at: position, rest)
            try add(piece, at: position, take)
            position += RecordLog.headerByteCount + piece.content.count
        }
        guard Self.isPadding(UnsafeRawBufferPointer(rebasing: block[position...])) else {
            throw invalid("its header is cut off", at: position)
        }
    }

    /// Writers that align their output fill a block with zeros.
    private static func isPadding(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.allSatisfy { $0 == 0 } }

    private func piece(
        at position: Int,
        _ rest: UnsafeRawBufferPointer
    ) throws -> (kind: RecordLog.Kind, content: UnsafeRawBufferPointer) {
        guard let kind = RecordLog.Kind(rawValue: rest[6]) else { throw invalid("its kind is unknown", at: position) }
        let count = Int(rest[4]) | Int(rest[5]) << 8
        guard count <= rest.count - RecordLog.headerByteCount else {
            throw invalid("it is longer than the rest of its block", at: position)
        }
        let content = UnsafeRawBufferPointer(rebasing: rest[RecordLog.headerByteCount...].prefix(count))
        let expected = UInt32(littleEndian: rest.loadUnaligned(as: UInt32.self))
        guard RecordLog.checksum(of: kind, content) == expected else {
            throw ExportError.wrongChecksum(file.path, at: blockOffset + Int64(position))
        }
        return (kind, content)
    }

    private mutating func add(
        _ piece: (kind: RecordLog.Kind, content: UnsafeRawBufferPointer),
        at position: Int,
        _ take: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard piece.kind.beginsRecord == (begun == nil) else {
            throw invalid("its pieces are out of order", at: position)
        }
        if piece.kind == .full { return try take(piece.content) }
        var record = begun ?? []
        begun = nil
        guard record.count + piece.content.count <= RecordLog.recordByteCountMax else {
            throw invalid("it is larger than \(RecordLog.recordByteCountMax) bytes", at: position)
        }
        record.append(contentsOf: piece.content)
        guard piece.kind.endsRecord else {
            begun = record
            return
        }
        try record.withUnsafeBytes { try take($0) }
    }

    private func invalid(_ reason: String, at position: Int) -> ExportError {
        .invalidRecord(file.path, at: blockOffset + Int64(position), because: reason)
    }
}
