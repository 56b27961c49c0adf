// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOCore
import Testing

@testable import GRPCTransport

struct MessageCompressionTests {
    private static let encodings = [MessageEncoding.gzip, .deflate]

    private static func payload(_ frame: ByteBuffer) -> ByteBuffer {
        var frame = frame
        frame.moveReaderIndex(forwardBy: MessageFrame.headByteCount)
        return frame
    }

    @Test(arguments: encodings, [0, 1, 5_000, 300_000])
    func `restores what it compressed`(encoding: MessageEncoding, byteCount: Int) throws {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        let compressed = try MessageCompression.compress(ByteBuffer(bytes: bytes), as: encoding)
        #expect(compressed.getInteger(at: compressed.readerIndex, as: UInt8.self) == 1)
        let restored = try MessageCompression.decompress(
            Self.payload(compressed),
            from: encoding,
            byteCountMax: byteCount
        )
        #expect(restored.getInteger(at: restored.readerIndex, as: UInt8.self) == 0)
        #expect(GRPCBytes(frame: restored) == GRPCBytes(bytes))
    }

    @Test(arguments: encodings)
    func `stops at a bomb`(encoding: MessageEncoding) throws {
        let bomb = try MessageCompression.compress(ByteBuffer(repeating: 0, count: 50 << 20), as: encoding)
        #expect(bomb.readableBytes < 100_000)
        let error = #expect(throws: RPCError.self) {
            try MessageCompression.decompress(Self.payload(bomb), from: encoding, byteCountMax: 1 << 20)
        }
        #expect(error?.code == .resourceExhausted)
    }

    @Test(arguments: encodings)
    func `refuses what is cut off, garbage, or followed by more`(encoding: MessageEncoding) throws {
        let whole = Array(
            Self.payload(try MessageCompression.compress(ByteBuffer(string: "hello"), as: encoding)).readableBytesView
        )
        for broken in [Array(whole.dropLast()), [], [1, 2, 3], whole + [0]] {
            let error = #expect(throws: RPCError.self) {
                try MessageCompression.decompress(ByteBuffer(bytes: broken), from: encoding, byteCountMax: 100)
            }
            #expect(error?.code == .internalError)
        }
    }
}
