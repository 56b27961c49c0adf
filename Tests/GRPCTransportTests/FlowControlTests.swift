// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCTransport
import LiveServing
import LoopbackRelay
import Metering
import NIOHPACK
import Testing

/// Bytes of refused calls are given back to the client's window (RFC 9113 section 6.9).
@Suite(.timeLimit(.minutes(5))) struct FlowControlTests {
    private static let windowByteCount = 4 << 20

    private static let refusals: [(name: String, head: HPACKHeaders, start: [UInt8])] = [
        ("a message above the limit", FrameClient.head("Echo"), [0, 0, 0x10, 0, 0]),
        ("an unknown method", FrameClient.head("Nothing"), [0, 0, 0x10, 0, 0]),
        ("a wrong flag", FrameClient.head("Echo"), [9, 0, 0, 0, 1]),
        (
            "large metadata", FrameClient.head("Echo", [("x-large", String(repeating: "v", count: 20 << 10))]),
            [0, 0, 0, 0, 1]
        ),
        (
            "a foreign content type", FrameClient.head("Echo", changed: ["content-type": "application/json"]),
            [0, 0, 0, 0, 1]
        ),
    ]

    @Test(arguments: refusals.indices, [0, 200])
    func `gives back the window that a refused call took`(index: Int, padding: Int) async throws {
        let refusal = Self.refusals[index]
        let callCount = 8
        try await TestServer.run(limits: GRPCLimits(messageByteCountMax: 100_000)) { server in
            try await blocking {
                let client = try server.connect()
                var sentByteCount = 0
                for _ in 0..<callCount {
                    sentByteCount += try Self.send(refusal, padding: padding, through: client)
                    // The window of bytes that the server has read is returned with the answer to the second ping at the latest.
                    for _ in 0..<2 { try Self.ping(client) }
                    let left = Self.grantedByteCount(by: client) - sentByteCount
                    #expect(left >= Self.windowByteCount / 2 && left <= Self.windowByteCount, "\(refusal.name)")
                    guard left >= Self.windowByteCount / 2 else { return }
                }
                #expect(try client.call("Echo", ["alive"]).texts == ["alive"])
                try client.finish()
                server.relay.finish()
            }
            let records = try await server.collector.next(callCount + 2)
            #expect(records.map(\.received.wire).reduce(0, +) == server.relay.clientToServer)
            #expect(records.map(\.sent.wire).reduce(0, +) == server.relay.serverToClient)
        }
    }

    /// Sends a call with as much as a stream's window holds, all of it before an answer can be read.
    private static func send(
        _ refusal: (name: String, head: HPACKHeaders, start: [UInt8]),
        padding: Int,
        through client: FrameClient
    ) throws -> Int {
        let stream = client.newStream()
        let payloadByteCount = 16_384
        let frameCount = (1 << 20) / payloadByteCount
        let body = [UInt8](repeating: 1, count: payloadByteCount - (padding > 0 ? padding + 1 : 0))
        let tail = [UInt8](repeating: 0, count: padding)
        try client.together {
            try client.sendHead(stream, refusal.head)
            for number in 0..<frameCount {
                let bytes = number == 0 ? refusal.start + body.dropFirst(refusal.start.count) : body
                let payload = padding > 0 ? [UInt8(padding)] + bytes + tail : bytes
                let flags = padding > 0 ? Frame.Flag.padded : 0
                client.send(Frame(kind: Frame.Kind.data, flags: flags, stream: stream, payload: payload))
            }
        }
        return frameCount * payloadByteCount
    }

    private static func ping(_ client: FrameClient) throws {
        func answerCount(_ frames: [Frame]) -> Int { frames.count { $0.kind == Frame.Kind.ping } }
        let former = answerCount(client.connectionFrames)
        client.send(.ping(7))
        try client.readConnection { answerCount($0) > former }
    }

    /// All that the server has ever let the client send on the connection.
    private static func grantedByteCount(by client: FrameClient) -> Int {
        let updates = client.connectionFrames.filter { $0.kind == Frame.Kind.windowUpdate && $0.stream == 0 }
        return 65_535 + updates.map { Int(UInt32(bigEndianBytes: $0.payload)) }.reduce(0, +)
    }
}
