// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// The connections to one host, over one shared link: which response comes when.
///
/// Event by event, in integer nanoseconds: connections that deliver share the link's bits equally, which is computed again
/// whenever one begins, ends or waits for its next window. No clock and no chance: the same loads take the same time.
struct HostLink: Sendable {
    /// Something to be loaded.
    struct Load: Sendable {
        /// The bytes of the response, its head included.
        let byteCount: Int64
        /// The bytes that the client knows of beforehand, by which it queues; 0 where it does not.
        var expectedByteCount = 0
        var priority = ImagePriority.normal
    }

    /// When a load was sent, when its first byte could come, and when it was there.
    struct Span: Sendable, Hashable {
        var sent: Int64
        var ready: Int64
        var end: Int64
    }

    /// The rate that `loss` leaves a connection, with a window of one packet for each round trip (Mathis et al., 1997).
    private static let mathis = 1.22

    private let network: Network
    private let rules: LinkRules
    private let version: Strategy.HTTPVersion
    private var connections: [LinkConnection] = []
    private var resolvedAt: Int64?

    init(_ network: Network, rules: LinkRules, version: Strategy.HTTPVersion) {
        self.network = network
        self.rules = rules
        self.version = version
    }

    /// Closes the connections and forgets the host's name.
    mutating func close() { (connections, resolvedAt) = ([], nil) }

    /// Loads everything from a time on; returns when each has come.
    mutating func ends(of loads: [Load], startingAt start: Int64, limits: HostQueue.Limits) -> [Int64] {
        spans(of: loads, startingAt: start, limits: limits).map(\.end)
    }

    /// Loads everything from a time on, as many at a time as the client's queue lets.
    mutating func spans(of loads: [Load], startingAt start: Int64, limits: HostQueue.Limits) -> [Span] {
        connections.removeAll { start - $0.lastActive > rules.closedAfter }
        var run = Run(loads, limits: limits)
        var now = start
        startLoads(&run, at: now)
        while run.isUnfinished {
            let delivering = connections.indices.compactMap { index in
                connections[index].current(at: now).map { (connection: index, stream: $0) }
            }
            let change = connections.compactMap { $0.nextChange(after: now) }.min()
            let rate = rate(ofEach: delivering.count)
            let drained = delivering.map { connections[$0.connection].byteCountToChange(of: $0.stream) }.min()
            let end = min(change ?? .max, drained.map { now + rate.time(for: $0) } ?? .max)
            precondition(end != .max, "a load that nothing brings")
            deliver(delivering, from: now, to: end, at: rate, into: &run)
            now = end
            startLoads(&run, at: now)
        }
        return run.spans
    }

    private mutating func deliver(
        _ delivering: [(connection: Int, stream: Int)],
        from start: Int64,
        to end: Int64,
        at rate: LinkRate,
        into run: inout Run
    ) {
        for (index, stream) in delivering {
            let byteCount = min(
                rate.byteCount(in: end - start),
                connections[index].byteCountToChange(of: stream)
            )
            guard byteCount > 0 else { continue }
            let whole = connections[index].deliver(
                byteCount,
                of: stream,
                from: start,
                to: end,
                roundTrip: network.roundTrip
            )
            if let whole { run.finish(whole, at: end) }
        }
    }

    private func rate(ofEach count: Int) -> LinkRate {
        let share = LinkRate(bitsPerSecond: network.downBitsPerSecond, sharedBy: Int64(max(1, count)))
        guard network.lossPerMillion > 0, network.roundTrip > 0 else { return share }
        let loss = Double(network.lossPerMillion) / 1_000_000
        let bits = 8 * Double(LinkConnection.segmentByteCount) * Self.mathis / loss.squareRoot()
        let cap = Int64(bits / (Double(network.roundTrip) / 1_000_000_000))
        return min(share, LinkRate(bitsPerSecond: max(1, cap), sharedBy: 1))
    }

    private mutating func startLoads(_ run: inout Run, at now: Int64) {
        while true {
            run.popNext()
            guard let load = run.awaitingConnection.first, let (index, readyAt) = connection(at: now) else { return }
            run.awaitingConnection.removeFirst()
            let stream = LinkConnection.Stream(
                load: load,
                readyAt: readyAt,
                rank: version == .http2 ? ImagePriority.high.rawValue - run.loads[load].priority.rawValue : 0,
                byteCountLeft: max(1, run.loads[load].byteCount)
            )
            connections[index].add(stream, requestedAt: now, rules: rules)
            run.spans[load] = Span(sent: now, ready: readyAt, end: now)
        }
    }

    /// A connection that can take a request now, and when its answer begins.
    private mutating func connection(at now: Int64) -> (index: Int, readyAt: Int64)? {
        let answer = network.roundTrip + rules.serverTime
        switch version {
        case .http2:
            if connections.isEmpty { open(at: now) }
            return (0, max(now, connections[0].openedAt) + answer)
        case .http1:
            let idle = connections.indices.filter { connections[$0].isIdle }
            if let best = idle.max(by: { (connections[$0].window, -$0) < (connections[$1].window, -$1) }) {
                return (best, now + answer)
            }
            guard connections.count < rules.connectionCountMax else { return nil }
            open(at: now)
            return (connections.count - 1, connections[connections.count - 1].openedAt + answer)
        }
    }

    private mutating func open(at now: Int64) {
        let resolved = resolvedAt ?? now + rules.nameRoundTrips * network.roundTrip
        resolvedAt = resolved
        let roundTrips = rules.connectRoundTrips + rules.secureRoundTrips
        connections.append(LinkConnection(openedAt: max(now, resolved) + roundTrips * network.roundTrip, rules: rules))
    }
}

extension HostLink {
    /// The state of one call.
    private struct Run {
        let loads: [Load]
        var spans: [Span]
        /// Loads that the client has begun and that no connection has taken yet.
        var awaitingConnection: [Int] = []
        private var queue: HostQueue
        private var unfinishedCount: Int

        init(_ loads: [Load], limits: HostQueue.Limits) {
            self.loads = loads
            spans = Array(repeating: Span(sent: 0, ready: 0, end: 0), count: loads.count)
            queue = HostQueue(limits)
            unfinishedCount = loads.count
            for (index, load) in loads.enumerated() {
                queue.append(index, priority: load.priority, byteCount: load.expectedByteCount)
            }
        }

        var isUnfinished: Bool { unfinishedCount > 0 }

        mutating func popNext() {
            while let next = queue.popNext(isWaiting: { _, _ in true }) { awaitingConnection.append(next.id) }
        }

        mutating func finish(_ load: Int, at time: Int64) {
            spans[load].end = time
            unfinishedCount -= 1
            queue.end(startedAs: loads[load].priority, byteCount: loads[load].expectedByteCount)
        }
    }
}
