// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Logging
package import Metering
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import ServiceLifecycle

/// One listening port and the service behind it.
package struct WireServer: Service {
    private let host: ListeningHost
    private let port: Int
    private let otherPorts: [Int]
    private let channel: MeteredChannel
    private let service: any WireService
    private let running = RunningWork()
    private let onWarning: @Sendable (String) -> Void
    private let onReady: @Sendable (_ port: Int) async -> Void

    /// Creates a server that starts to listen when it is run.
    ///
    /// - Parameters:
    ///   - host: The address to listen on; `localhost` for those of it, see ``ListeningHost``.
    ///   - port: The port to listen on; 0 picks a free one.
    ///   - otherPorts: Those that are tried in turn where it is in use.
    ///   - service: What answers.
    ///   - sink: Where usage records go; `nil` switches counting off.
    ///   - deliveries: Signals when the records of the last connections are in.
    ///   - audit: Holds what is recorded against what the kernel counted.
    ///   - lingering: How long a client that still sends is waited for behind its last answer.
    ///   - link: The link of clients; `nil` where it is never slow.
    ///   - now: Microseconds since the Unix epoch.
    ///   - onWarning: Takes a line on an address at which the port is not free.
    ///   - onReady: Receives the port once connections are accepted.
    package init(
        host: String,
        port: Int,
        otherPorts: [Int] = [],
        service: any WireService,
        sink: (any UsageRecording)?,
        deliveries: DeliveryWatch = DeliveryWatch(),
        audit: KernelAudit = KernelAudit(),
        lingering: LingeringLimits = LingeringLimits(),
        link: NetworkLink? = nil,
        now: @escaping @Sendable () -> Int64,
        onWarning: @escaping @Sendable (String) -> Void = { _ in },
        onReady: @escaping @Sendable (_ port: Int) async -> Void
    ) {
        self.host = ListeningHost(host)
        self.port = port
        self.otherPorts = otherPorts
        channel = MeteredChannel(
            service: service,
            sink: sink,
            deliveries: deliveries,
            audit: audit,
            lingering: lingering,
            running: running,
            link: link,
            now: now
        )
        self.service = service
        self.onWarning = onWarning
        self.onReady = onReady
    }

    /// Serves until the task is cancelled or shut down gracefully.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            if let streamService = service.streamService { group.addTask { try await streamService.run() } }
            try await PortSearch.listen(on: port, or: otherPorts) { try await serve(on: $0, isLast: $1) }
            // The connections are gone, and the tasks that answered them are cancelled; what they use must outlive them.
            await running.finished()
            group.cancelAll()
        }
    }

    private func serve(on port: Int, isLast: Bool) async throws {
        let second = NIOLockedValueBox<Result<(any Channel)?, WireError>>(.success(nil))
        var logger = Logger(label: "firemeter.wire")
        logger.logLevel = .critical
        do {
            try await Server(
                childChannelSetup: channel,
                configuration: ServerConfiguration(address: .hostname(host.address, port: port), backlog: 1024),
                onServerRunning: { listening in
                    await Self.pauseAccepting(of: listening)
                    do throws(WireError) {
                        let channel = try await listenAtSecondAddress(beside: listening, isRequired: !isLast)
                        second.withLockedValue { $0 = .success(channel) }
                        await onReady(listening.localAddress?.port ?? port)
                    } catch {
                        second.withLockedValue { $0 = .failure(error) }
                        listening.close(promise: nil)
                    }
                },
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
                logger: logger
            ).run()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw WireError.cannotListen(host: host.address, port: port, error: error)
        }
        // It closes with the first.
        if let channel = try second.withLockedValue({ $0 }).get() { try? await channel.closeFuture.get() }
    }

    private func listenAtSecondAddress(
        beside first: any Channel,
        isRequired: Bool
    ) async throws(WireError) -> (any Channel)? {
        try await SecondAddress.listen(of: host, beside: first, isRequired: isRequired, onWarning)
    }

    /// Lets the listening channel outlast that descriptors run out.
    private static func pauseAccepting(of listening: any Channel) async {
        let added = listening.eventLoop.submit {
            try listening.pipeline.syncOperations.addHandler(AcceptPauseHandler(), position: .first)
        }
        // A channel that has closed by now accepts nothing.
        try? await added.get()
    }

    /// Returns when every event loop has finished what it was doing.
    ///
    /// A record is made, or gathered, in the same turn of the loop that hands the last byte of its response to the kernel,
    /// so after this call every exchange whose end a client can have seen has been recorded.
    package static func settleExchanges() async throws {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
            try await loop.submit { RepeatAccounts.of(loop).flush() }.get()
        }
    }
}
