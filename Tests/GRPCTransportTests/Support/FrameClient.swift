// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LoopbackRelay
import NIOCore
import NIOHPACK

/// A client that writes and reads HTTP/2 frames by itself, over a blocking socket.
final class FrameClient {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    /// `SETTINGS_INITIAL_WINDOW_SIZE` and `SETTINGS_MAX_FRAME_SIZE` of RFC 9113 section 6.5.2.
    static let initialWindowSize: UInt16 = 4
    static let maxFrameSize: UInt16 = 5

    let socket: LoopbackSocket
    private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
    private var unread: [UInt8] = []
    private var gathered: [UInt8]?
    private var nextStream: UInt32 = 1
    /// Answers of streams that are not requested yet.
    private var answers: [UInt32: Answer] = [:]
    /// Frames of the connection: SETTINGS, PING, GOAWAY.
    private(set) var connectionFrames: [Frame] = []
    /// The server has closed the connection.
    private(set) var isClosed = false

    /// Connects and says hello, with a window as large as it may be by default.
    ///
    /// An eager client does not wait for the server's SETTINGS; it has to ``acknowledge()`` them.
    init(port: UInt16, window: UInt32 = .max >> 1, isEager: Bool = false) throws {
        socket = try LoopbackSocket.connected(to: port)
        socket.send(Self.preface)
        send(.settings([(Self.initialWindowSize, window)]))
        let windowAtFirst: UInt32 = 65_535
        send(.windowUpdate(0, .max >> 1 - windowAtFirst))
        if !isEager { try acknowledge() }
    }

    /// Waits for the server's SETTINGS; its limits hold from here on.
    func acknowledge() throws {
        try readConnection { $0.contains { $0.kind == Frame.Kind.settings } }
        send(Frame(kind: Frame.Kind.settings, flags: Frame.Flag.acknowledgement))
    }

    func send(_ frame: Frame) {
        if gathered == nil { socket.send(frame.bytes) } else { gathered? += frame.bytes }
    }

    /// Sends all frames of a body at once, so that the server reads them at once.
    func together<Result>(_ body: () throws -> Result) rethrows -> Result {
        gathered = []
        defer {
            socket.send(gathered ?? [])
            gathered = nil
        }
        return try body()
    }

    func newStream() -> UInt32 {
        defer { nextStream += 2 }
        return nextStream
    }

    /// Sends HEADERS.
    func sendHead(_ stream: UInt32, _ headers: HPACKHeaders, endsStream: Bool = false) throws {
        let flags = Frame.Flag.endHeaders | (endsStream ? Frame.Flag.endStream : 0)
        send(Frame(kind: Frame.Kind.headers, flags: flags, stream: stream, payload: try block(headers)))
    }

    /// A header block for the connection's next frame.
    func block(_ headers: HPACKHeaders) throws -> [UInt8] {
        var buffer = ByteBuffer()
        try encoder.encode(headers: headers, to: &buffer)
        return Array(buffer.readableBytesView)
    }

    // MARK: Reading

    /// Reads frames until the answer is as expected, or the connection ends.
    func answer(_ stream: UInt32, until isEnough: (Answer) -> Bool = { $0.isOver }) throws -> Answer {
        while !isEnough(answers[stream] ?? Answer()), let frame = nextFrame() { try note(frame) }
        return answers[stream] ?? Answer()
    }

    /// Reads frames until the connection's are as expected, or the connection ends.
    func readConnection(until isEnough: ([Frame]) -> Bool) throws {
        while !isEnough(connectionFrames), let frame = nextFrame() { try note(frame) }
    }

    /// Reads to the end of the connection.
    func readAll() throws {
        while let frame = nextFrame() { try note(frame) }
    }

    /// Says that no more will be sent, and reads to the end.
    func finish() throws {
        socket.shutdownSending()
        try readAll()
    }

    private func note(_ frame: Frame) throws {
        switch frame.kind {
        case Frame.Kind.headers:
            var block = ByteBuffer(bytes: frame.payload)
            answers[frame.stream, default: Answer()].headers.append(try decoder.decodeHeaders(from: &block))
        case Frame.Kind.data: answers[frame.stream, default: Answer()].body += frame.payload
        case Frame.Kind.resetStream:
            answers[frame.stream, default: Answer()].resetCode = UInt32(bigEndianBytes: frame.payload)
        default: connectionFrames.append(frame)
        }
        if frame.endsStream { answers[frame.stream, default: Answer()].hasEnded = true }
    }

    private func nextFrame() -> Frame? {
        let headByteCount = 9
        guard fill(headByteCount) else { return nil }
        let length = Int(UInt32(bigEndianBytes: unread[0..<3]))
        guard fill(headByteCount + length) else { return nil }
        let frame = Frame(
            kind: unread[3],
            flags: unread[4],
            stream: UInt32(bigEndianBytes: unread[5..<9]),
            payload: Array(unread[headByteCount..<(headByteCount + length)])
        )
        unread.removeFirst(headByteCount + length)
        return frame
    }

    private func fill(_ byteCount: Int) -> Bool {
        while unread.count < byteCount {
            guard let bytes = socket.receive(), !bytes.isEmpty else {
                isClosed = true
                return false
            }
            unread += bytes
        }
        return true
    }
}
