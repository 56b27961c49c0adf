// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Testing

struct ZlibTests {
    private static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }

    private static func compressed(_ bytes: [UInt8], _ format: CompressionFormat) throws -> [UInt8] {
        let deflater = try #require(Deflater(format))
        return [UInt8](unsafeUninitializedCapacity: deflater.byteCountMax(of: bytes.count)) { room, count in
            count = bytes.withUnsafeBytes { deflater.compress($0, into: UnsafeMutableRawBufferPointer(room)) } ?? 0
        }
    }

    /// Decompresses piece by piece; returns what came out, and how the last step ended.
    private static func inflated(
        _ input: [UInt8],
        _ format: CompressionFormat,
        room: Int
    ) throws -> ([UInt8], Inflater.Outcome) {
        let inflater = try #require(Inflater(format))
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: room)
        return input.withUnsafeBytes { input in
            inflater.take(input)
            while true {
                let (count, outcome) = piece.withUnsafeMutableBytes { inflater.inflate(into: $0) }
                bytes += piece[..<count]
                if outcome != .progress { return (bytes, outcome) }
            }
        }
    }

    @Test(arguments: [CompressionFormat.gzip, .zlib], [1, 1_000, 1 << 20])
    func `bytes come back, however small the room`(format: CompressionFormat, room: Int) throws {
        let (bytes, outcome) = try Self.inflated(try Self.compressed(Self.bytes, format), format, room: room)
        #expect(bytes == Self.bytes)
        #expect(outcome == .ended)
    }

    @Test func `bytes that end too early, or are damaged, are told apart`() throws {
        let whole = try Self.compressed(Self.bytes, .gzip)
        #expect(try Self.inflated(Array(whole.dropLast(20)), .gzip, room: 1_000).1 == .stuck)
        #expect(try Self.inflated(Array("no gzip at all".utf8), .gzip, room: 1_000).1 == .damaged)
        #expect(try Self.inflated(whole, .zlib, room: 1_000).1 == .damaged)
    }

    @Test func `compression says where the room is too little`() throws {
        let deflater = try #require(Deflater(.zlib))
        var room = [UInt8](repeating: 0, count: 10)
        #expect(
            Self.bytes.withUnsafeBytes { bytes in room.withUnsafeMutableBytes { deflater.compress(bytes, into: $0) } }
                == nil
        )
    }
}
