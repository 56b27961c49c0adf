// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOCore
import Wire

/// How the messages of a call are packed.
struct MessageCodec {
    /// How the client's messages are compressed.
    var encoding = MessageEncoding.identity
    /// How ours are: as the client's, if it can read that.
    var responseEncoding = MessageEncoding.identity
    let byteCountMax: Int
    /// The memory that decompressed messages are held in.
    let budget: ByteBudget

    func bytes(of message: MessageReader.Message) throws(RPCError) -> GRPCBytes {
        guard message.isCompressed else { return GRPCBytes(frame: message.frame) }
        guard encoding != .identity else { throw .messageCompressionUnannounced }
        var payload = message.frame
        payload.moveReaderIndex(forwardBy: MessageFrame.headByteCount)
        let memory = ByteReservation(of: budget)
        let frame = try MessageCompression.decompress(
            payload,
            from: encoding,
            byteCountMax: byteCountMax,
            memory: memory
        )
        return GRPCBytes(frame: frame, memory: memory)
    }

    func frame(of bytes: GRPCBytes) throws(RPCError) -> ByteBuffer {
        guard responseEncoding != .identity else { return bytes.frame }
        var message = bytes.frame
        message.moveReaderIndex(forwardBy: MessageFrame.headByteCount)
        return try MessageCompression.compress(message, as: responseEncoding)
    }
}
