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

    private let host: ListeningHost
    private let port: Int
    private let otherPorts: [Int]
    private let admission: WebSocketAdmission
    private let clients = WebSocketClients()
    private let source: Source
    private let onWarning: @Sendable (String) -> Void
    private let onReady: @Sendable (_ port: Int) -> Void

    /// Creates a server that starts to listen when it is run.
    ///
    /// - Parameters:
    ///   - host: The address to listen on; `localhost` for those of it, see ``ListeningHost``.
    ///   - port: The port to listen on; 0 picks a free one.
    ///   - otherPorts: Those that are tried in turn where it is in use.
    ///   - path: The path of the WebSocket.
    ///   - source: Sends to a client.
    ///   - onWarning: Takes a line on an address at which the port is not free.
    ///   - onReady: Receives the port once connections are accepted.
    package init(
        host: String,
        port: Int,
        otherPorts: [Int] = [],
        path: String,
        source: @escaping Source,
        onWarning: @escaping @Sendable (String) -> Void = { _ in },
        onReady: @escaping @Sendable (_ port: Int) -> Void
    ) {
        (self.host, self.port, self.otherPorts) = (ListeningHost(host), port, otherPorts)
        (self.source, self.onWarning, self.onReady) = (source, onWarning, onReady)
        admission = WebSocketAdmission(path: path, gate: LocalPageGate(listeningOn: host))
    }

    /// Serves until the task is cancelled or shut down gracefully.
    package func run() async throws {
        let (listening, second) = try await PortSearch.listen(on: port, or: otherPorts) { port, isLast in
            let first = try await listen(on: port)
            do {
                return (first, try await listenAtSecondAddress(beside: first, isRequired: !isLast))
            } catch {
                try? await first.close()
                throw error
            }
        }
        onReady(listening.localAddress?.port ?? port)
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await listening.closeFuture.get()
        } onCancelOrGracefulShutdown: {
            listening.close(promise: nil)
        }
        // It closes with the first.
        try? await second?.closeFuture.get()
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
            return try await bootstrap.bind(host: host.address, port: port).get()
        } catch {
            throw WireError.cannotListen(host: host.address, port: port, error: error)
        }
    }

    private func listenAtSecondAddress(
        beside first: any Channel,
        isRequired: Bool
    ) async throws -> (any Channel)? {
        try await SecondAddress.listen(of: host, beside: first, isRequired: isRequired, onWarning)
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
