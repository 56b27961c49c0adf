// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOCore
import Wire

/// The bytes of one message.
///
/// They are kept behind the head that they have on the wire, so that a message goes from a serializer to the socket, and
/// from the socket to a deserializer, without being copied.
package struct GRPCBytes: GRPCContiguousBytes, Sendable, Hashable {
    /// The head of an uncompressed message, and the message.
    private(set) var frame: ByteBuffer
    /// The memory of a message that came compressed, held as long as the message.
    private(set) var memory: ByteReservation?

    /// - Parameters:
    ///   - frame: An uncompressed message behind its head.
    ///   - memory: What the message holds beyond what came.
    init(frame: ByteBuffer, memory: ByteReservation? = nil) {
        self.frame = frame
        self.memory = memory
    }

    package init(repeating byte: UInt8, count: Int) {
        frame = MessageFrame.buffer(forByteCount: count)
        frame.writeRepeatingByte(byte, count: count)
        MessageFrame.finish(&frame, isCompressed: false)
    }

    package init<Bytes: Sequence>(_ sequence: Bytes) where Bytes.Element == UInt8 {
        self.init(Array(sequence))
    }

    package init(_ bytes: [UInt8]) {
        frame = bytes.withUnsafeBytes(MessageFrame.buffer(of:))
    }

    package static func == (one: GRPCBytes, other: GRPCBytes) -> Bool { one.frame == other.frame }

    package func hash(into hasher: inout Hasher) { hasher.combine(frame) }

    /// An answer during which the message, if it came compressed, still counts.
    func held(
        during answer: @escaping @Sendable () async throws -> GRPCBytes
    ) -> @Sendable () async throws -> GRPCBytes {
        guard let memory else { return answer }
        return {
            defer { memory.giveBack() }
            return try await answer()
        }
    }

    package var count: Int { frame.readableBytes - MessageFrame.headByteCount }

    package func withUnsafeBytes<Result>(
        _ body: (_ buffer: UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try frame.withUnsafeReadableBytes { bytes in
            try body(UnsafeRawBufferPointer(rebasing: bytes[MessageFrame.headByteCount...]))
        }
    }

    package mutating func withUnsafeMutableBytes<Result>(
        _ body: (_ buffer: UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try frame.withUnsafeMutableReadableBytes { bytes in
            try body(UnsafeMutableRawBufferPointer(rebasing: bytes[MessageFrame.headByteCount...]))
        }
    }
}
