// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import NIOCore

/// The link that the clients of all ports seem to share: as it is, or with the delay and the speed of a phone's.
///
///     client ──▶ LinkEnd ══ up: delay, speed ══▶ LinkEnd ──▶ the same port ──▶ the connection that is metered
///            ◀──         ◀═ down ══════════════         ◀──
///
/// A connection that is accepted while the link is slow is a relay to another one of the same port, in the same process; as long as
/// it is fast, connections know nothing of it.
package final class NetworkLink: Sendable {
    /// A direction.
    enum Direction {
        /// From the client.
        case up
        /// To the client.
        case down
    }

    /// Those that still answer are left this long when the link becomes slow, before they are closed.
    private static let grace = TimeAmount.seconds(1)
    /// A piece takes about this long to pass, so that connections share the link fairly.
    private static let pieceMilliseconds = 20
    /// A piece has at least about what a packet has, and at most what is read at once.
    private static let pieceByteCounts = 1_460...(64 << 10)

    private struct State {
        var conditions = LinkConditions()
        /// When what was given to a direction so far has passed.
        var freeTimes: (up: NIODeadline, down: NIODeadline) = (.now(), .now())
        /// The connections that clients have, with a relay or without one.
        var open: [ObjectIdentifier: any Channel] = [:]
        /// The addresses of clients, by those from which the relay of each connects to this process.
        var clients: [SocketAddress: String] = [:]
    }

    private let state = NIOLockedValueBox(State())

    /// Creates a link as it is.
    package init() {}

    /// The delay and the speeds.
    package var conditions: LinkConditions { state.withLockedValue(\.conditions) }

    /// Changes the delay and the speeds.
    ///
    /// Connections that are open end, as when a phone changes its network: at once, but for an answer that is being sent, which has
    /// a second to end.
    package func change(to conditions: LinkConditions) {
        let ended = state.withLockedValue { state in
            guard conditions != state.conditions else { return [any Channel]() }
            state.conditions = conditions
            state.freeTimes = (.now(), .now())
            defer { state.open = [:] }
            return Array(state.open.values)
        }
        for channel in ended {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            channel.eventLoop.scheduleTask(in: Self.grace) { channel.close(promise: nil) }
        }
    }

    // MARK: Connections

    /// How an accepted connection is continued.
    enum Accepted {
        /// It is metered, as that of a client with this address.
        case client(String?)
        /// It is relayed to another one.
        case relayed
    }

    /// Chooses how a connection that was just accepted is continued.
    func accepted(_ channel: any Channel) -> Accepted {
        let remote = channel.remoteAddress
        let key = ObjectIdentifier(channel)
        let (choice, isOfClient): (Accepted, Bool) = state.withLockedValue { state in
            if let remote, let client = state.clients.removeValue(forKey: remote) { return (.client(client), false) }
            state.open[key] = channel
            return (state.conditions.isDirect ? .client(remote?.ipAddress) : .relayed, true)
        }
        if isOfClient {
            channel.closeFuture.whenComplete { [weak self] _ in
                self?.state.withLockedValue { _ = $0.open.removeValue(forKey: key) }
            }
        }
        return choice
    }

    /// Notes that a connection from an address of this process is a relay's, for a client.
    func willConnect(from address: SocketAddress, for client: String) {
        state.withLockedValue { $0.clients[address] = client }
    }

    /// Forgets a relay that did not get to connect.
    func didNotConnect(from address: SocketAddress) {
        state.withLockedValue { _ = $0.clients.removeValue(forKey: address) }
    }

    // MARK: What passes

    /// Half of what a request and its answer are delayed by.
    var delay: TimeAmount { .microseconds(Int64(conditions.latencyMilliseconds) * 500) }

    /// The most bytes that pass as one piece.
    func pieceByteCount(_ direction: Direction) -> Int {
        guard let speed = conditions.kilobitsPerSecond(direction) else { return Self.pieceByteCounts.upperBound }
        let byteCount = speed * Self.pieceMilliseconds / 8
        return min(max(byteCount, Self.pieceByteCounts.lowerBound), Self.pieceByteCounts.upperBound)
    }

    /// Gives a piece to a direction; returns when it will have passed, behind what was given to it before.
    func pass(_ byteCount: Int, _ direction: Direction, now: NIODeadline) -> NIODeadline {
        state.withLockedValue { state in
            guard let speed = state.conditions.kilobitsPerSecond(direction) else { return now }
            let time = TimeAmount.nanoseconds(Int64(byteCount) * 8_000_000 / Int64(speed))
            switch direction {
            case .up:
                state.freeTimes.up = max(state.freeTimes.up, now) + time
                return state.freeTimes.up
            case .down:
                state.freeTimes.down = max(state.freeTimes.down, now) + time
                return state.freeTimes.down
            }
        }
    }
}
