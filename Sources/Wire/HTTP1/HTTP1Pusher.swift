// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Writes what is pushed to an HTTP/1.1 connection.
///
/// A pushed answer has no length, and so goes in chunks. Its parts need nothing of the handlers that turn messages into bytes,
/// nor of the channel's queue where that is empty, and pass them by: they take longer than all the rest.
final class HTTP1Pusher: AnswerPushing {
    let queue: PushQueue
    private let connection: NIOLoopBound<Connection>

    private final class Connection {
        /// The place in the pipeline from which bytes go to the socket.
        let exit: ChannelHandlerContext
        let channel: any Channel
        let socket: DirectSocket?
        let meter: ConnectionMeter?
        let repeater: AnswerRepeater?
        /// The channel has written everything, so that what comes now may go to the socket at once.
        var isIdle = false
        /// Waits for the client to take what was written.
        var waiting: (any PushedPart)?

        init(exit: ChannelHandlerContext, meter: ConnectionMeter?, repeater: AnswerRepeater?) {
            (self.exit, self.meter, self.repeater) = (exit, meter, repeater)
            channel = exit.channel
            socket = DirectSocket(of: channel)
        }

        /// Gives the kernel what it takes at once, and the channel the rest.
        func write(_ bytes: ByteBuffer) {
            var rest = bytes
            if isIdle, let socket {
                let sentByteCount = socket.send(bytes)
                if let sent = rest.readSlice(length: sentByteCount), sentByteCount > 0 {
                    meter?.handed(sentByteCount)
                    repeater?.passed(.byteBuffer(sent))
                }
                guard rest.readableBytes > 0 else { return }
            }
            isIdle = false
            exit.write(NIOAny(IOData.byteBuffer(rest)), promise: nil)
            exit.flush()
        }
    }

    /// Called on the channel's event loop, when the pipeline has the handlers of its bytes.
    init(_ channel: any Channel, meter: ConnectionMeter?, repeater: AnswerRepeater?) throws {
        queue = PushQueue.of(channel.eventLoop)
        // The handler behind the one that counts bytes.
        let exit = try channel.pipeline.syncOperations.context(handlerType: LingeringCloseHandler.self)
        connection = NIOLoopBound(
            Connection(exit: exit, meter: meter, repeater: repeater),
            eventLoop: channel.eventLoop
        )
    }

    func framed(_ data: consuming ByteBuffer) -> ByteBuffer {
        var chunk = data
        if chunk.readableBytes > 0 { chunk.frameAsChunk() }
        return chunk
    }

    func write(_ bytes: ByteBuffer, bodyByteCount: Int) {
        let connection = connection.value
        if let meter = connection.meter {
            meter.responsePart(bodyByteCount: bodyByteCount) { connection.write(bytes) }
        } else {
            connection.write(bytes)
        }
    }

    func awaitRoom(for part: any PushedPart) {
        let connection = connection.value
        if !connection.isIdle {
            let waitingByteCount = try? connection.channel.syncOptions?.getOption(.bufferedWritableBytes)
            connection.isIdle = waitingByteCount == 0
        }
        if connection.isIdle || connection.channel.isWritable { part.written() } else { connection.waiting = part }
    }

    /// Something is written that is not pushed, and may wait in the channel; called on the event loop.
    func messageIsWritten() { connection.value.isIdle = false }

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
