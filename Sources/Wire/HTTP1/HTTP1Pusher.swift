// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Writes what is pushed to an HTTP/1.1 connection.
///
/// A pushed answer has no length, and so goes in chunks. Its parts need nothing of the handlers that turn messages into bytes,
/// and pass them by: they take longer than all the rest.
final class HTTP1Pusher: AnswerPushing {
    let queue: PushQueue
    private let connection: NIOLoopBound<Connection>

    private final class Connection {
        /// The place in the pipeline from which bytes go to the socket.
        let exit: ChannelHandlerContext
        let meter: ConnectionMeter?
        /// Waits for the client to take what was written.
        var waiting: (any PushedPart)?

        init(exit: ChannelHandlerContext, meter: ConnectionMeter?) {
            (self.exit, self.meter) = (exit, meter)
        }
    }

    /// Called on the channel's event loop, when the pipeline has the handlers of its bytes.
    init(_ channel: any Channel, meter: ConnectionMeter?) throws {
        queue = PushQueue.of(channel.eventLoop)
        // The handler behind the one that counts bytes.
        let exit = try channel.pipeline.syncOperations.context(handlerType: LingeringCloseHandler.self)
        connection = NIOLoopBound(Connection(exit: exit, meter: meter), eventLoop: channel.eventLoop)
    }

    func framed(_ data: consuming ByteBuffer) -> ByteBuffer {
        var chunk = data
        if chunk.readableBytes > 0 { chunk.frameAsChunk() }
        return chunk
    }

    func write(_ bytes: ByteBuffer, bodyByteCount: Int) {
        let (connection, data) = (connection.value, NIOAny(IOData.byteBuffer(bytes)))
        if let meter = connection.meter {
            meter.responsePart(bodyByteCount: bodyByteCount) { connection.exit.write(data, promise: nil) }
        } else {
            connection.exit.write(data, promise: nil)
        }
        connection.exit.flush()
    }

    func awaitRoom(for part: any PushedPart) {
        let connection = connection.value
        if connection.exit.channel.isWritable { part.written() } else { connection.waiting = part }
    }

    func becameWritable() { connection.value.waiting.take()?.written() }
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
