// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOCore
import Testing

@testable import GRPCTransport

struct MessageReaderTests {
    private static let wire =
        Message.framed("a") + Message.framed("") + Message.framed("zz", isCompressed: true) + Message.framed("end")

    @Test(arguments: [1, 2, 3, 5, 6, 7, 100])
    func `finds messages, however their bytes come`(chunkByteCount: Int) throws {
        var reader = MessageReader(byteCountMax: 10)
        var found: [String] = []
        for start in stride(from: 0, to: Self.wire.count, by: chunkByteCount) {
            let chunk = Self.wire[start..<min(start + chunkByteCount, Self.wire.count)]
            reader.append(ByteBuffer(bytes: chunk))
            while let message = try reader.next() {
                let bytes = GRPCBytes(frame: message.frame)
                found.append(bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
                if message.isCompressed { found[found.count - 1] += "*" }
            }
        }
        #expect(found == ["a", "", "zz*", "end"])
        #expect(!reader.isInsideMessage)
    }

    @Test(arguments: [0, 1, 300, 70_000])
    func `bytes have the same frame, whatever they are made of`(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        #expect(GRPCBytes(bytes) == GRPCBytes(AnySequence(bytes)))
        #expect(GRPCBytes(bytes).withUnsafeBytes { Array($0) } == bytes)
        let head = [0] + withUnsafeBytes(of: UInt32(count).bigEndian) { Array($0) }
        #expect(Array(GRPCBytes(bytes).frame.readableBytesView.prefix(5)) == head)
    }

    @Test func `tells that bytes end inside a message`() throws {
        var reader = MessageReader(byteCountMax: 10)
        reader.append(ByteBuffer(bytes: Message.framed("abc").dropLast()))
        #expect(try reader.next()?.frame == nil)
        #expect(reader.isInsideMessage)
    }

    @Test(
        arguments: [
            ([0, 0, 0, 0, 11], RPCError.Code.resourceExhausted, "gRPC message exceeds maximum size 10: 11"),
            ([0, 0xFF, 0xFF, 0xFF, 0xFF], .resourceExhausted, "gRPC message exceeds maximum size 10: 4294967295"),
            ([2, 0, 0, 0, 0], .internalError, "A gRPC frame begins with the flag 2; only 0 and 1 are defined"),
        ] as [([UInt8], RPCError.Code, String)]
    )
    func `refuses a message by its head`(head: [UInt8], code: RPCError.Code, text: String) throws {
        var reader = MessageReader(byteCountMax: 10)
        reader.append(ByteBuffer(bytes: head))
        let error = #expect(throws: RPCError.self) { try reader.next() }
        #expect(error?.code == code)
        #expect(error?.message == text)
    }
}
