// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import NIOConcurrencyHelpers
import NIOCore
import ObjectStore

/// Decompresses an object piece by piece: however far its bytes expand, memory holds one piece.
///
/// Bytes behind the last member that begin no other are ignored, as gzip itself does ("trailing garbage ignored").
///
/// Unchecked, because zlib's state points into the input: both are private, owned by this instance alone, and touched
/// only under the lock, or by the initializer and the deinitializer.
final class GunzippingReader: @unchecked Sendable {
    private enum Position {
        /// A member begins here, or the object ends.
        case betweenMembers
        case inMember
        case ended
    }

    /// Compressed bytes read for a piece at most, so that none takes long, even one that expands to nothing.
    private static let inputByteCount = 64 << 10
    /// The fixed start of every member (RFC 1952 section 2.3); optional fields follow.
    private static let memberHeaderByteCount = 10

    private let object: ObjectReader
    private let lock = NIOLock()
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputByteCount, alignment: 16)
    private let inflater: Inflater
    private var offset: Int64 = 0
    private var position = Position.betweenMembers
    /// Whether zlib may hold bytes for which the last piece had no room.
    private var isPieceFull = false
    /// The members decompressed whole.
    private var memberCount = 0
    /// Why no more can be decompressed, while bytes before it are on their way.
    private var failure: StorageFailure?

    init(_ object: ObjectReader) throws(StorageFailure) {
        guard let inflater = Inflater(.gzip) else { throw .gunzipUnavailable }
        self.object = object
        self.inflater = inflater
    }

    deinit { input.deallocate() }

    /// Returns the next bytes, which may be none; `nil` after the last.
    ///
    /// Throws behind the last bytes that could be decompressed.
    func next() throws -> ByteBuffer? {
        try lock.withLock {
            if let failure { throw failure }
            if inflater.rest.isEmpty, !isPieceFull { try refill() }
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
        inflater.take(UnsafeRawBufferPointer(rebasing: input[..<count]))
        guard count == 0, position != .ended else { return }
        guard position == .betweenMembers || isBehindLastMember else { throw StorageFailure.notGzip }
        position = .ended
    }

    /// Whether the bytes at hand are too few, or other ones than a member begins with, and follow a whole member.
    private var isBehindLastMember: Bool {
        memberCount > 0 && inflater.inputByteCount < Self.memberHeaderByteCount
    }

    /// Decompresses until the input is used up or the room is; returns the number of bytes.
    private func inflate(into space: UnsafeMutableRawBufferPointer) throws(StorageFailure) -> Int {
        var count = 0
        repeat {
            count += step(into: UnsafeMutableRawBufferPointer(rebasing: space[count...]))
        } while failure == nil && !inflater.rest.isEmpty && count < space.count
        if count == 0, let failure { throw failure }
        isPieceFull = count == space.count
        return count
    }

    /// Returns how many bytes it decompressed; where those behind them are damaged, it leaves a failure.
    private func step(into room: UnsafeMutableRawBufferPointer) -> Int {
        if position == .betweenMembers {
            skipPadding()
            guard !inflater.rest.isEmpty else { return 0 }
            inflater.reset()
            position = .inMember
        }
        let (count, outcome) = inflater.inflate(into: room)
        switch outcome {
        case .progress: break
        case .ended:
            memberCount += 1
            position = .betweenMembers
        case .stuck where inflater.rest.isEmpty: break
        case .damaged where isBehindLastMember:
            inflater.skip(inflater.rest.count)
            position = .ended
        case .stuck, .damaged: failure = .notGzip
        }
        return count
    }

    /// Skips the zeros with which some programs fill the last block, as gzip itself does.
    private func skipPadding() { inflater.skip(inflater.rest.prefix { $0 == 0 }.count) }
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
