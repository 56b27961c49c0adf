// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import GRPCCore
import NIOCore
import Wire

/// Compresses and decompresses whole messages.
enum MessageCompression {
    private static let outputByteCountFirst = 4_096

    /// Returns the message compressed, behind its head.
    static func compress(_ message: ByteBuffer, as encoding: MessageEncoding) throws(RPCError) -> ByteBuffer {
        guard let deflater = Deflater(encoding.format) else { throw .compressionFailed }
        let byteCountMax = deflater.byteCountMax(of: message.readableBytes)
        var output = MessageFrame.buffer(forByteCount: byteCountMax)
        var isWhole = false
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: byteCountMax) { target in
            let byteCount = message.withUnsafeReadableBytes { deflater.compress($0, into: target) }
            isWhole = byteCount != nil
            return byteCount ?? 0
        }
        guard isWhole else { throw .compressionFailed }
        MessageFrame.finish(&output, isCompressed: true)
        return output
    }

    /// Returns the message decompressed, behind its head; stops at more than `byteCountMax` bytes, however few came.
    static func decompress(
        _ message: ByteBuffer,
        from encoding: MessageEncoding,
        byteCountMax: Int,
        memory: ByteReservation? = nil
    ) throws(RPCError) -> ByteBuffer {
        guard let inflater = Inflater(encoding.format) else { throw .decompressionFailed }
        var output = MessageFrame.buffer(forByteCount: outputByteCountFirst)
        var input = message
        var room = outputByteCountFirst
        while true {
            let roomNow = min(room, byteCountMax + 1)
            try memory?.hold(forMessageOf: output.readableBytes + roomNow)
            let outcome = inflate(&input, with: inflater, into: &output, roomFor: roomNow)
            guard output.readableBytes - MessageFrame.headByteCount <= byteCountMax else {
                throw .decompressedMessageTooLarge(max: byteCountMax)
            }
            switch outcome {
            case .whole:
                MessageFrame.finish(&output, isCompressed: false)
                return output
            case .roomUsedUp: room *= 2
            case .damaged: throw .decompressionFailed
            }
        }
    }

    private enum Outcome {
        case whole
        case roomUsedUp
        case damaged
    }

    /// Moves the input past what was read of it.
    private static func inflate(
        _ input: inout ByteBuffer,
        with inflater: Inflater,
        into output: inout ByteBuffer,
        roomFor byteCount: Int
    ) -> Outcome {
        var outcome = Outcome.damaged
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: byteCount) { space in
            let target = UnsafeMutableRawBufferPointer(rebasing: space[..<byteCount])
            return input.readWithUnsafeReadableBytes { source in
                inflater.take(source)
                let step = inflater.inflate(into: target)
                switch step.outcome {
                case .ended where inflater.rest.isEmpty: outcome = .whole
                case .progress where step.byteCount == byteCount: outcome = .roomUsedUp
                case .ended, .progress, .stuck, .damaged: outcome = .damaged
                }
                return (source.count - inflater.rest.count, step.byteCount)
            }
        }
        return outcome
    }
}

extension MessageEncoding {
    fileprivate var format: CompressionFormat { self == .gzip ? .gzip : .zlib }
}

extension ByteReservation {
    fileprivate func hold(forMessageOf byteCount: Int) throws(RPCError) {
        do {
            try hold(byteCount)
        } catch {
            throw .memoryExceeded(error)
        }
    }
}
