// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOCore

/// Cuts the bytes of a stream into messages.
struct MessageReader {
    /// A message as it came, behind its head.
    struct Message {
        let isCompressed: Bool
        let frame: ByteBuffer
    }

    private let byteCountMax: Int
    private var pending = ByteBuffer()

    init(byteCountMax: Int) {
        self.byteCountMax = byteCountMax
    }

    /// Whether the bytes so far end inside a message.
    var isInsideMessage: Bool { pending.readableBytes > 0 }

    /// The whole size of the message that has begun, as far as it is declared.
    var neededByteCount: Int {
        let length = pending.getInteger(at: pending.readerIndex + 1, as: UInt32.self)
        return max(pending.readableBytes, length.map { MessageFrame.headByteCount + Int($0) } ?? 0)
    }

    /// Takes the bytes that follow those taken before.
    mutating func append(_ bytes: ByteBuffer) {
        guard pending.readableBytes > 0 else {
            pending = bytes
            return
        }
        var bytes = bytes
        if pending.readerIndex > 0 { pending.discardReadBytes() }
        pending.writeBuffer(&bytes)
    }

    /// Returns the next message that is complete.
    ///
    /// A head that announces too much is refused before its message has come.
    mutating func next() throws(RPCError) -> Message? {
        guard let flag = pending.getInteger(at: pending.readerIndex, as: UInt8.self),
            let length = pending.getInteger(at: pending.readerIndex + 1, as: UInt32.self)
        else { return nil }
        guard flag <= 1 else { throw .messageFlagUnknown(flag) }
        guard length <= byteCountMax else { throw .messageTooLarge(byteCount: Int(length), max: byteCountMax) }
        guard let frame = pending.readSlice(length: MessageFrame.headByteCount + Int(length)) else { return nil }
        if pending.readableBytes == 0 { pending = ByteBuffer() }
        return Message(isCompressed: flag == 1, frame: frame)
    }
}
