// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import Testing

@testable import GRPCTransport

struct QueueTests {
    private static func message(_ byteCount: Int) -> MessageReader.Message {
        MessageReader.Message(isCompressed: false, frame: GRPCBytes(repeating: 0, count: byteCount).frame)
    }

    private static let empty = OutboundQueue.Part.message(GRPCBytes([]).frame)

    @Test func `holds reading back while messages wait`() {
        var queue = InboundQueue(metadata: [:])
        let mayRead = queue.mayRead()
        #expect(mayRead)
        for _ in 0..<4 { _ = queue.push(Self.message(GRPCLimits.inboundByteCountHigh / 4)) }
        let mayStillRead = queue.mayRead()
        #expect(!mayStillRead)
        var readsOn: [Bool] = []
        while let taken = queue.take() { readsOn.append(taken.readsOn) }
        // The metadata and four messages; after the second, half of the bytes and four heads are left.
        #expect(readsOn == [false, false, false, true, false])
    }

    @Test func `bounds messages that have no bytes`() {
        var queue = InboundQueue(metadata: [:])
        for _ in 0..<(GRPCLimits.inboundByteCountHigh / GRPCLimits.messageCost) { _ = queue.push(Self.message(0)) }
        let mayStillRead = queue.mayRead()
        #expect(!mayStillRead)
    }

    @Test func `drops what waits when the call fails`() {
        var queue = InboundQueue(metadata: [:])
        _ = queue.push(Self.message(1))
        _ = queue.end(throwing: RPCError.callCancelled)
        guard case .failure = queue.take()?.delivery else {
            Issue.record("the failure comes first")
            return
        }
    }

    @Test func `calls the event loop once for many messages`() throws {
        var queue = OutboundQueue(hasOneMessage: false)
        var calls: [Bool] = []
        calls.append(try queue.push(.metadata([:])))
        calls.append(try queue.push(Self.empty))
        queue.drainBegan()
        calls.append(try queue.push(Self.empty))
        #expect(calls == [true, false, true])
    }

    @Test func `calls the event loop for a single answer when it is whole`() throws {
        var queue = OutboundQueue(hasOneMessage: true)
        var calls: [Bool] = []
        calls.append(try queue.push(.metadata([:])))
        calls.append(try queue.push(Self.empty))
        calls.append(try queue.push(.status(Status(code: .ok, message: ""), [:])))
        #expect(calls == [false, false, true])
        #expect(throws: RPCError.self) { try queue.push(Self.empty) }
    }

    @Test func `makes writers wait while much is unwritten`() throws {
        var queue = OutboundQueue(hasOneMessage: false)
        _ = try queue.push(.message(GRPCBytes(repeating: 0, count: GRPCLimits.outboundByteCountHigh).frame))
        #expect(queue.mustWait)
        _ = queue.take()
        #expect(!queue.mustWait)
    }
}
