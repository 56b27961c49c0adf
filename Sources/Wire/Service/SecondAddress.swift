// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// Accepts connections at a second address, and hands them to the channel that listens at the first.
///
///     127.0.0.1:8080 ──▶ first channel ──▶ its handlers ──▶ connections
///         [::1]:8080 ──▶ second ──▲
enum SecondAddress {
    private static let backlog: ChannelOptions.Types.BacklogOption.Value = 1024

    /// Listens at the second address of a host, where it has one and the machine, too, until the first channel closes.
    ///
    /// A port that another program has there is warned of, as firebase-tools 15.28.1 does (`src/emulator/portUtils.ts`).
    ///
    /// - Parameters:
    ///   - host: The addresses.
    ///   - first: The channel that listens at the first of them.
    ///   - isRequired: Whether the port must be free at both, as others can be tried.
    ///   - onWarning: Takes a line on a port that is not free at the second.
    /// - Returns: The channel that listens; `nil` where none does.
    /// - Throws: `WireError` for a port that must be free and is not.
    static func listen(
        of host: ListeningHost,
        beside first: any Channel,
        isRequired: Bool,
        _ onWarning: (String) -> Void
    ) async throws(WireError) -> (any Channel)? {
        guard let address = host.second, let port = first.localAddress?.port else { return nil }
        do {
            let second = try await bind(address, port, handingTo: first)
            first.closeFuture.whenComplete { _ in second.close(promise: nil) }
            return second
        } catch {
            let failure = WireError.cannotListen(host: address, port: port, error: error)
            // Not every machine has IPv6.
            guard failure.isPortInUse else { return nil }
            if isRequired { throw failure }
            onWarning("port \(port) is free at \(host.address) but not at \(address), to which some clients connect")
            return nil
        }
    }

    private static func bind(_ address: String, _ port: Int, handingTo first: any Channel) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(AcceptPauseHandler(), HandOver(to: first))
                }
            }
            .bind(to: SocketAddress(ipAddress: address, port: port)).get()
    }
}

/// Passes accepted connections to another listening channel, as if that had accepted them.
private final class HandOver: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let first: any Channel

    init(to first: any Channel) { self.first = first }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let accepted = Self.unwrapInboundIn(data)
        first.eventLoop.execute { [first] in
            guard first.isActive else { return accepted.close(promise: nil) }
            first.pipeline.syncOperations.fireChannelRead(NIOAny(accepted))
            first.pipeline.syncOperations.fireChannelReadComplete()
        }
    }
}
