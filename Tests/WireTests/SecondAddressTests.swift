// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

@testable import Wire

/// Another program that listens at ::1, and no more at 127.0.0.1, where the port is free.
private struct Occupant {
    let channel: any Channel
    let port: Int

    static var isPossible: Bool {
        get async { await (try? Occupant())?.leave() != nil }
    }

    init(at address: String = "::1", port: Int = 0) async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(to: SocketAddress(ipAddress: address, port: port)).get()
        self.port = try #require(channel.localAddress?.port)
    }

    func leave() async { try? await channel.close() }
}

@Suite(.enabled("this machine has no ::1") { await Occupant.isPossible })
struct `Servers of localhost` {
    enum Kind: CaseIterable {
        case http, webSocket

        func server(
            on port: Int,
            or others: [Int],
            onWarning: @escaping @Sendable (String) -> Void,
            onReady: @escaping @Sendable (Int) -> Void
        ) -> any Service {
            switch self {
            case .http:
                WireServer(
                    host: "localhost",
                    port: port,
                    otherPorts: others,
                    service: SampleService(),
                    sink: nil,
                    now: { 0 },
                    onWarning: onWarning,
                    onReady: onReady
                )
            case .webSocket:
                WebSocketServer(
                    host: "localhost",
                    port: port,
                    otherPorts: others,
                    path: "/",
                    source: { _ in {} },
                    onWarning: onWarning,
                    onReady: onReady
                )
            }
        }
    }

    /// Runs a body beside a server; returns its port and its warnings.
    @discardableResult
    private func serving(
        _ kind: Kind,
        on port: Int = 0,
        or others: [Int] = [],
        _ body: (_ port: Int) async throws -> Void
    ) async throws -> (port: Int, warnings: [String]) {
        let warnings = NIOLockedValueBox<[String]>([])
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let server = kind.server(
            on: port,
            or: others,
            onWarning: { text in warnings.withLockedValue { $0.append(text) } },
            onReady: { ready.yield($0) }
        )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { ready.finish() }
                try await server.run()
            }
            var found: Int?
            for await port in ports.prefix(1) {
                found = port
                try await body(port)
            }
            group.cancelAll()
            try await group.waitForAll()
            return (try #require(found), warnings.withLockedValue { $0 })
        }
    }

    private func status(at host: String, _ port: Int) async -> Int? {
        try? await OutgoingCall.send(method: "GET", to: "http://\(host):\(port)/nothing", timeout: .seconds(60)).status
    }

    @Test(arguments: Kind.allCases)
    func `answer at both addresses, and stop at both`(kind: Kind) async throws {
        let (port, warnings) = try await serving(kind) { port in
            for _ in 0..<3 {
                #expect(await status(at: "127.0.0.1", port) == 404)
                #expect(await status(at: "[::1]", port) == 404)
            }
        }
        #expect(warnings.isEmpty)
        for host in ["127.0.0.1", "[::1]"] { #expect(await status(at: host, port) == nil) }
    }

    @Test(arguments: Kind.allCases)
    func `pass over a port that is in use at the second address`(kind: Kind) async throws {
        let occupant = try await Occupant()
        let (port, warnings) = try await serving(kind, on: occupant.port, or: [0]) { port in
            #expect(await status(at: "[::1]", port) == 404)
        }
        #expect(port != occupant.port && warnings.isEmpty)
        await occupant.leave()
    }

    @Test(arguments: Kind.allCases)
    func `warn where the second address of their only port is in use`(kind: Kind) async throws {
        let occupant = try await Occupant()
        let (port, warnings) = try await serving(kind, on: occupant.port) { port in
            #expect(await status(at: "127.0.0.1", port) == 404)
        }
        #expect(port == occupant.port)
        #expect(warnings == ["port \(port) is free at 127.0.0.1 but not at ::1, to which some clients connect"])
        await occupant.leave()
    }

    @Test(arguments: Kind.allCases)
    func `need the first address`(kind: Kind) async throws {
        let occupant = try await Occupant(at: "127.0.0.1")
        let error = await #expect(throws: WireError.self) { try await serving(kind, on: occupant.port) { _ in } }
        #expect(error?.description.hasPrefix("cannot listen on 127.0.0.1:\(occupant.port): ") == true)
        #expect(await status(at: "[::1]", occupant.port) == nil)
        await occupant.leave()
    }
}

@Suite struct `Hosts to listen at` {
    @Test(arguments: ["127.0.0.1", "0.0.0.0", "::1", "::", "machine.local", "LOCALHOST"])
    func `but localhost are one address`(name: String) {
        #expect(ListeningHost(name).address == name)
        #expect(ListeningHost(name).second == nil)
    }

    @Test func `that are localhost are two addresses`() {
        #expect(ListeningHost("localhost").address == "127.0.0.1")
        #expect(ListeningHost("localhost").second == "::1")
    }
}
