// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Writes what is pushed to an HTTP/1.1 connection.
///
/// A pushed answer has no length, and so goes in chunks. Its parts need nothing of the handlers that turn messages into bytes,
/// and pass them by: they take longer than all the rest.
final class HTTP1Pusher: AnswerPushing {
    let queue: PushQueue
    private let state: NIOLoopBoundBox<State>

    private struct State {
        /// The place in the pipeline from which bytes go to the socket.
        let encoder: ChannelHandlerContext
        let meter: ConnectionMeter?
        /// Waits for the client to take what was written.
        var waiting: (any PushedPart)?
    }

    /// Called on the channel's event loop, when the pipeline has its encoder.
    init(_ channel: any Channel, meter: ConnectionMeter?) throws {
        queue = PushQueue.of(channel.eventLoop)
        let encoder = try channel.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
        state = NIOLoopBoundBox(State(encoder: encoder, meter: meter), eventLoop: channel.eventLoop)
    }

    func framed(_ data: consuming ByteBuffer) -> ByteBuffer {
        var chunk = data
        if chunk.readableBytes > 0 { chunk.frameAsChunk() }
        return chunk
    }

    func write(_ bytes: ByteBuffer, bodyByteCount: Int) {
        let (state, data) = (state.value, NIOAny(IOData.byteBuffer(bytes)))
        if let meter = state.meter {
            meter.responsePart(bodyByteCount: bodyByteCount) { state.encoder.write(data, promise: nil) }
        } else {
            state.encoder.write(data, promise: nil)
        }
        state.encoder.flush()
    }

    func awaitRoom(for part: any PushedPart) {
        if state.value.encoder.channel.isWritable { part.written() } else { state.value.waiting = part }
    }

    func becameWritable() { state.value.waiting.take()?.written() }
}

extension ByteBuffer {
    /// Puts the length before the bytes, where there is room, and the end of a line behind (RFC 9112 section 7.1).
    fileprivate mutating func frameAsChunk() {
        let head = "\(String(readableBytes, radix: 16))\r\n"
        let headByteCount = head.utf8.count
        if readerIndex >= headByteCount {
            setString(head, at: readerIndex - headByteCount)
            moveReaderIndex(to: readerIndex - headByteCount)
            writeStaticString("\r\n")
        } else {
            var framed = ByteBuffer()
            framed.reserveCapacity(headByteCount + readableBytes + 2)
            framed.writeString(head)
            framed.writeBuffer(&self)
            framed.writeStaticString("\r\n")
            self = framed
        }
    }
}
