// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads the frame headers of one direction of an HTTP/2 connection and says whose bytes pass.
///
/// It looks at nothing but the nine bytes before each frame (RFC 9113 section 4.1) and the pad length of DATA, so it
/// stays right whatever the codec behind it makes of the frames. Every byte is reported exactly once, except those that
/// ``heldByteCount`` counts: the first bytes of a frame header that is not complete.
struct HTTP2FrameTally {
    /// The frame types that are looked at (RFC 9113 section 6).
    enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let priority: UInt8 = 2
        static let resetStream: UInt8 = 3
        static let goAway: UInt8 = 7
        static let windowUpdate: UInt8 = 8
        static let continuation: UInt8 = 9
        /// The client's connection preface, which is not a frame.
        static let preface: UInt8 = 255
    }

    /// A run of bytes of one frame.
    struct Piece: Equatable {
        var streamID: Int32
        var kind: UInt8
        /// Bytes that are not body.
        var framing: Int64 = 0
        /// Payload of DATA without padding.
        var body: Int64 = 0
        var beginsFrame = false
        var endsFrame = false
        /// The piece is the last that its sender sends on the stream.
        var endsStream = false
    }

    private enum Flag {
        static let endStream: UInt8 = 0x1
        static let endHeaders: UInt8 = 0x4
        static let padded: UInt8 = 0x8
    }

    private static let headByteCount = 9

    private enum State {
        case preface(remaining: Int)
        case head
        case padLength
        case payload
    }

    private var state: State
    // The frame header as far as it has been read: length, type and flags; then the stream.
    private var headCount = 0
    private var lengthAndType: UInt64 = 0
    private var streamBits: UInt32 = 0
    // The frame being read.
    private var streamID: Int32 = 0
    private var kind = Kind.preface
    private var flags: UInt8 = 0
    private var bodyLeft = 0
    private var framingLeft = 0
    /// HEADERS has announced the end of the stream, but its block continues in CONTINUATION frames.
    private var endsStreamWithHeaders = false

    /// Bytes consumed but not reported.
    var heldByteCount: Int64 { Int64(headCount) }

    init(expectsPreface: Bool) {
        state = expectsPreface ? .preface(remaining: HTTPPreface.bytes.count) : .head
    }

    /// Takes bytes in the order in which they pass.
    mutating func consume(_ bytes: UnsafeRawBufferPointer, _ report: (Piece) -> Void) {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            switch state {
            case .preface(let remaining):
                takePreface(remaining, from: &bytes, report)
            case .head:
                guard takeHead(from: &bytes) else { return }
                var piece = Piece(streamID: streamID, kind: kind, framing: Int64(Self.headByteCount), beginsFrame: true)
                takePayload(from: &bytes, into: &piece)
                report(piece)
            case .padLength, .payload:
                var piece = Piece(streamID: streamID, kind: kind)
                takePayload(from: &bytes, into: &piece)
                report(piece)
            }
        }
    }

    private mutating func takePreface(
        _ remaining: Int,
        from bytes: inout Slice<UnsafeRawBufferPointer>,
        _ report: (Piece) -> Void
    ) {
        let taken = min(remaining, bytes.count)
        bytes.removeFirst(taken)
        state = taken == remaining ? .head : .preface(remaining: remaining - taken)
        report(Piece(streamID: 0, kind: Kind.preface, framing: Int64(taken)))
    }

    /// Returns whether the frame header is complete.
    private mutating func takeHead(from bytes: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        if headCount == 0, bytes.count >= Self.headByteCount {
            takeWholeHead(from: &bytes)
            return true
        }
        while headCount < Self.headByteCount, let byte = bytes.popFirst() {
            if headCount < 5 {
                lengthAndType = lengthAndType << 8 | UInt64(byte)
            } else {
                streamBits = streamBits << 8 | UInt32(byte)
            }
            headCount += 1
        }
        guard headCount == Self.headByteCount else { return false }
        beginFrame()
        return true
    }

    /// Reads a frame header that has come in one piece, as nearly all do.
    private mutating func takeWholeHead(from bytes: inout Slice<UnsafeRawBufferPointer>) {
        let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.headByteCount))
        let first = UInt64(bigEndian: head.loadUnaligned(as: UInt64.self))
        lengthAndType = first >> 24
        streamBits = UInt32(truncatingIfNeeded: first << 8) | UInt32(head[8])
        bytes.removeFirst(Self.headByteCount)
        beginFrame()
    }

    private mutating func beginFrame() {
        let length = Int(lengthAndType >> 16)
        kind = UInt8(truncatingIfNeeded: lengthAndType >> 8)
        flags = UInt8(truncatingIfNeeded: lengthAndType)
        streamID = Int32(streamBits & 0x7FFF_FFFF)
        headCount = 0
        lengthAndType = 0
        streamBits = 0
        bodyLeft = kind == Kind.data ? length : 0
        framingLeft = kind == Kind.data ? 0 : length
        state = kind == Kind.data && flags & Flag.padded != 0 && length > 0 ? .padLength : .payload
    }

    private mutating func takePayload(from bytes: inout Slice<UnsafeRawBufferPointer>, into piece: inout Piece) {
        if case .padLength = state {
            guard let padding = bytes.popFirst() else { return }
            piece.framing += 1
            framingLeft = min(Int(padding), bodyLeft - 1)
            bodyLeft -= 1 + framingLeft
            state = .payload
        }
        let body = min(bodyLeft, bytes.count)
        bytes.removeFirst(body)
        bodyLeft -= body
        piece.body += Int64(body)
        let framing = bodyLeft == 0 ? min(framingLeft, bytes.count) : 0
        bytes.removeFirst(framing)
        framingLeft -= framing
        piece.framing += Int64(framing)
        if bodyLeft == 0, framingLeft == 0 { endFrame(&piece) }
    }

    private mutating func endFrame(_ piece: inout Piece) {
        state = .head
        piece.endsFrame = true
        switch kind {
        case Kind.data:
            piece.endsStream = flags & Flag.endStream != 0
        case Kind.headers, Kind.continuation:
            if kind == Kind.headers { endsStreamWithHeaders = flags & Flag.endStream != 0 }
            piece.endsStream = endsStreamWithHeaders && flags & Flag.endHeaders != 0
        default: break
        }
    }
}
