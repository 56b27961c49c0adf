// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LiveServing
import LoopbackRelay
import Metering
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import Wire

/// A client that sends on behind the last answer gets to read that answer, within limits.
@Suite(.timeLimit(.minutes(5))) struct LingeringCloseTests {
    private static let body = String(repeating: "x", count: 9_000_000)

    private static let last = "Host: a\r\nConnection: close\r\n"

    private static let talks: [(request: String, status: Int, requestCount: Int64)] = [
        ("POST /up HTTP/1.1\r\n\(last)Content-Length: 9000000\r\n\r\n\(body)", 413, 1),
        ("POST /up HTTP/1.0\r\nContent-Length: 9000000\r\n\r\n\(body)", 413, 1),
        // One that the service answers without reading it.
        ("PUT / HTTP/1.1\r\n\(last)Content-Length: 900000\r\n\r\n\(body.prefix(900_000))", 404, 1),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(body)\r\n\r\n", 431, 1),
        ("\(body)\r\n\r\n", 400, 1),
        // Bytes behind a complete request belong to another.
        ("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n\(body)", 404, 2),
    ]

    @Test(arguments: talks.indices)
    func `answers a client that sends all before it reads`(index: Int) async throws {
        let (request, status, requestCount) = Self.talks[index]
        // The kernel may hold the bytes back for longer than a client on a busy machine would be waited for.
        let lingering = LingeringLimits(time: .hours(1), quietTime: .hours(1), byteCount: 1 << 30)
        try await SampleServer.run(lingering: lingering) { server in
            let answer = try await blocking {
                let client = try server.connect()
                client.send(request.utf8)
                var answer: [UInt8] = []
                while let bytes = client.receive(), !bytes.isEmpty { answer += bytes }
                client.shutdownSending()
                server.relay.finish()
                return String(decoding: answer, as: UTF8.self)
            }
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
            #expect(answer.split(separator: "HTTP/1.1 ").count == 1)
            var records: [UsageRecord] = []
            while records.map(\.received.wire).reduce(0, +) < server.relay.clientToServer {
                records += try await server.collector.next(1)
            }
            #expect(records.map(\.requestCount).reduce(0, +) == requestCount)
            #expect(server.relay.clientToServer == Int64(request.utf8.count))
            #expect(records.map(\.received.wire).reduce(0, +) == server.relay.clientToServer)
            #expect(records.map(\.sent.wire).reduce(0, +) == server.relay.serverToClient)
        }
    }

    @Test(
        arguments: [
            (LingeringLimits(time: .hours(1), quietTime: .milliseconds(10), byteCount: 1 << 30), 0),
            (LingeringLimits(time: .milliseconds(10), quietTime: .hours(1), byteCount: 1 << 30), 0),
            (LingeringLimits(time: .hours(1), quietTime: .hours(1), byteCount: 100_000), 500_000),
        ]
    )
    func `waits for a client no longer than its limits`(
        limits: LingeringLimits,
        sentByteCount: Int
    ) async throws {
        let ended = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Void.self)
        let listening = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.closeFuture.cascade(to: ended)
                return channel.eventLoop.makeCompletedFuture {
                    let input = ConnectionInput()
                    input.isReadingRequest = true
                    let handler = LingeringCloseHandler(input: input, meter: nil, limits: limits)
                    try channel.pipeline.syncOperations.addHandlers([handler, ClosingHandler()])
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = UInt16(try #require(listening.localAddress?.port))
        try await blocking {
            let client = try LoopbackSocket.connected(to: port)
            client.send([UInt8](repeating: 1, count: sentByteCount))
            // The client does not end its side.
            #expect(client.receive()?.isEmpty != false)
            try ended.futureResult.wait()
        }
        try await listening.close().get()
    }

    @Test func `a server that was held up reads what came before it calls the client late`() throws {
        let input = ConnectionInput()
        input.isReadingRequest = true
        let limits = LingeringLimits(time: .hours(1), quietTime: .seconds(5), byteCount: 1 << 30)
        let handler = LingeringCloseHandler(input: input, meter: nil, limits: limits)
        let channel = EmbeddedChannel(handlers: [HalfClosingHandler(), handler])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        channel.close(mode: .output, promise: nil)
        // Nothing was read for the quiet time, but the client has sent.
        channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        try channel.writeInbound(ByteBuffer(string: "a body"))
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        #expect(!channel.isActive)
    }

    /// Closes the sending side alone, which an embedded channel cannot.
    private final class HalfClosingHandler: ChannelOutboundHandler {
        typealias OutboundIn = IOData

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if mode == .output { promise?.succeed() } else { context.close(mode: mode, promise: promise) }
        }
    }

    /// Ends the sending side of a connection at once.
    private final class ClosingHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func channelActive(context: ChannelHandlerContext) {
            context.close(mode: .output, promise: nil)
        }
    }
}
