// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import ServiceLifecycle

/// One port with one WebSocket, which sends texts and takes none.
package struct WebSocketServer: Service {
    /// Begins to send texts to a client, one frame each, and returns what ends that.
    ///
    /// It is called on a thread that may wait; a text may be sent from any.
    package typealias Source = @Sendable (_ send: @escaping @Sendable (String) -> Void) -> @Sendable () -> Void

    private let host: String
    private let port: Int
    private let otherPorts: [Int]
    private let admission: WebSocketAdmission
    private let clients = WebSocketClients()
    private let source: Source
    private let onReady: @Sendable (_ port: Int) -> Void

    /// Creates a server that starts to listen when it is run.
    ///
    /// - Parameters:
    ///   - host: The address to listen on.
    ///   - port: The port to listen on; 0 picks a free one.
    ///   - otherPorts: Those that are tried in turn where it is in use.
    ///   - path: The path of the WebSocket.
    ///   - source: Sends to a client.
    ///   - onReady: Receives the port once connections are accepted.
    package init(
        host: String,
        port: Int,
        otherPorts: [Int] = [],
        path: String,
        source: @escaping Source,
        onReady: @escaping @Sendable (_ port: Int) -> Void
    ) {
        (self.host, self.port, self.otherPorts) = (host, port, otherPorts)
        (self.source, self.onReady) = (source, onReady)
        admission = WebSocketAdmission(path: path, gate: LocalPageGate(listeningOn: host))
    }

    /// Serves until the task is cancelled or shut down gracefully.
    package func run() async throws {
        let listening = try await PortSearch.listen(on: port, or: otherPorts) { try await listen(on: $0) }
        onReady(listening.localAddress?.port ?? port)
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await listening.closeFuture.get()
        } onCancelOrGracefulShutdown: {
            listening.close(promise: nil)
        }
        await clients.close()
    }

    private func listen(on port: Int) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPauseHandler())
                }
            }
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture { try prepare(channel) }
            }
        do {
            return try await bootstrap.bind(host: host, port: port).get()
        } catch {
            throw WireError.cannotListen(host: host, port: port, error: error)
        }
    }

    /// Makes the pipeline of a connection: HTTP, which a handshake replaces.
    private func prepare(_ channel: any Channel) throws {
        guard clients.admit(channel) else { return channel.close(promise: nil) }
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: WebSocketClientHandler.receivedFrameByteCountMax,
            shouldUpgrade: { [admission] channel, head in
                channel.eventLoop.makeSucceededFuture(admission.refusal(of: head) == nil ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { [source] channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(WebSocketClientHandler(source: source))
                }
            }
        )
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withServerUpgrade: (
                upgraders: [upgrader],
                completionHandler: { $0.pipeline.removeHandler(name: PlainRequestHandler.name, promise: nil) }
            )
        )
        try channel.pipeline.syncOperations.addHandler(
            PlainRequestHandler(admission: admission),
            name: PlainRequestHandler.name
        )
    }
}
