// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CZlib
import NIOConcurrencyHelpers
import NIOCore
import ObjectStore

/// Decompresses an object piece by piece: however far its bytes expand, memory holds one piece.
///
/// Bytes behind the last member that begin no other are ignored, as gzip itself does ("trailing garbage ignored").
///
/// Unchecked, because zlib's state is a C structure with pointers into the input: both are private, owned by this
/// instance alone, and touched only under the lock, or by the initialiser and the deinitialiser.
final class GunzippingReader: @unchecked Sendable {
    private enum Position {
        /// A member begins here, or the object ends.
        case betweenMembers
        case inMember
        case ended
    }

    /// Compressed bytes read for a piece at most, so that none takes long, even one that expands to nothing.
    private static let inputByteCount = 64 << 10
    private static let bestWindowBits: CInt = 15
    /// Added to the window bits, it selects the gzip format (zlib.h, `inflateInit2`).
    private static let gzipFormat: CInt = 16
    /// The fixed start of every member (RFC 1952 section 2.3); optional fields follow.
    private static let memberHeaderByteCount: uLong = 10

    private let object: ObjectReader
    private let lock = NIOLock()
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputByteCount, alignment: 16)
    // Never moved: zlib's state points back to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var offset: Int64 = 0
    private var position = Position.betweenMembers
    /// Whether zlib may hold bytes for which the last piece had no room.
    private var isPieceFull = false
    /// The members decompressed whole.
    private var memberCount = 0
    /// Why no more can be decompressed, while bytes before it are on their way.
    private var failure: StorageFailure?

    init(_ object: ObjectReader) throws(StorageFailure) {
        self.object = object
        stream.initialize(to: z_stream())
        let streamByteCount = CInt(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, Self.bestWindowBits + Self.gzipFormat, ZLIB_VERSION, streamByteCount) == Z_OK else {
            throw .gunzipUnavailable
        }
    }

    deinit {
        // Harmless to a state that was not initialised.
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    /// Returns the next bytes, which may be none; `nil` after the last.
    ///
    /// Throws behind the last bytes that could be decompressed.
    func next() throws -> ByteBuffer? {
        try lock.withLock {
            if let failure { throw failure }
            if stream.pointee.avail_in == 0, !isPieceFull { try refill() }
            guard position != .ended else { return nil }
            var piece = ByteBufferAllocator().buffer(capacity: ObjectReader.pieceByteCount)
            try piece.writeWithUnsafeMutableBytes(minimumWritableBytes: ObjectReader.pieceByteCount) { space in
                try inflate(into: space)
            }
            return piece
        }
    }

    private func refill() throws {
        let count = try object.read(at: offset, into: input)
        offset += Int64(count)
        stream.pointee.next_in = input.bindMemory(to: Bytef.self).baseAddress
        stream.pointee.avail_in = uInt(count)
        guard count == 0, position != .ended else { return }
        guard position == .betweenMembers || isBehindLastMember else { throw StorageFailure.notGzip }
        position = .ended
    }

    /// Whether the bytes at hand are too few, or other ones than a member begins with, and follow a whole member.
    private var isBehindLastMember: Bool {
        memberCount > 0 && stream.pointee.total_in < Self.memberHeaderByteCount
    }

    /// Decompresses until the input is used up or the room is; returns the number of bytes.
    private func inflate(into space: UnsafeMutableRawBufferPointer) throws(StorageFailure) -> Int {
        stream.pointee.next_out = space.bindMemory(to: Bytef.self).baseAddress
        stream.pointee.avail_out = uInt(space.count)
        do {
            repeat { try step() } while stream.pointee.avail_in > 0 && stream.pointee.avail_out > 0
        } catch {
            guard stream.pointee.avail_out < uInt(space.count) else { throw error }
            failure = error
        }
        isPieceFull = stream.pointee.avail_out == 0
        return space.count - Int(stream.pointee.avail_out)
    }

    private func step() throws(StorageFailure) {
        if position == .betweenMembers {
            skipPadding()
            guard stream.pointee.avail_in > 0 else { return }
            inflateReset(stream)
            position = .inMember
        }
        switch CZlib.inflate(stream, Z_NO_FLUSH) {
        case Z_OK: return
        case Z_STREAM_END:
            memberCount += 1
            position = .betweenMembers
        case Z_BUF_ERROR where stream.pointee.avail_in == 0: return
        case Z_DATA_ERROR where isBehindLastMember:
            stream.pointee.avail_in = 0
            position = .ended
        default: throw .notGzip
        }
    }

    /// Skips the zeros with which some programs fill the last block, as gzip itself does.
    private func skipPadding() {
        while stream.pointee.avail_in > 0, stream.pointee.next_in.pointee == 0 {
            stream.pointee.next_in += 1
            stream.pointee.avail_in -= 1
        }
    }
}

extension StorageFailure {
    fileprivate static let gunzipUnavailable = Self(
        status: 500,
        message: "Internal error: there is no memory to decompress the object in.",
        reason: "internalError"
    )

    /// Not a 500: clients would ask again for minutes, and the object would be no better.
    fileprivate static let notGzip = invalid("The object's bytes are not the gzip that its contentEncoding promises.")
}
