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
    mutating func close() {
        connections.removeAll(keepingCapacity: true)
        resolvedAt = nil
    }

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
            let next = nextEvent(after: now)
            deliver(from: now, to: next.time, at: next.rate, into: &run)
            now = next.time
            startLoads(&run, at: now)
        }
        return run.spans
    }

    /// When something changes next, and the rate of each connection that delivers until then.
    private func nextEvent(after now: Int64) -> (time: Int64, rate: LinkRate) {
        var (deliveringCount, leastByteCount, change) = (0, Int64.max, Int64.max)
        for connection in connections {
            change = min(change, connection.nextChange(after: now))
            guard let stream = connection.current(at: now) else { continue }
            deliveringCount += 1
            leastByteCount = min(leastByteCount, connection.byteCountToChange(of: stream))
        }
        let rate = rate(ofEach: deliveringCount)
        let time = deliveringCount > 0 ? min(change, now + rate.time(for: leastByteCount)) : change
        precondition(time != .max, "a load that nothing brings")
        return (time, rate)
    }

    private mutating func deliver(from start: Int64, to end: Int64, at rate: LinkRate, into run: inout Run) {
        let byteCountMax = rate.byteCount(in: end - start)
        guard byteCountMax > 0 else { return }
        for index in connections.indices {
            guard let stream = connections[index].current(at: start) else { continue }
            let whole = connections[index].deliver(
                min(byteCountMax, connections[index].byteCountToChange(of: stream)),
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
            guard let load = run.awaitingConnection, let (index, readyAt) = connection(at: now) else { return }
            run.connect()
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
            if let best = widestIdleConnection { return (best, now + answer) }
            guard connections.count < rules.connectionCountMax else { return nil }
            open(at: now)
            return (connections.count - 1, connections[connections.count - 1].openedAt + answer)
        }
    }

    /// The idle connection with the widest window, the first of several.
    private var widestIdleConnection: Int? {
        var best: Int?
        for index in connections.indices where connections[index].isIdle {
            if best.map({ connections[index].window > connections[$0].window }) ?? true { best = index }
        }
        return best
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
        /// Loads that the client has begun, in this order; of the last ones no connection has taken any yet.
        private var begun: [Int] = []
        private var connectedCount = 0
        private var queue: HostQueue
        private var unfinishedCount: Int

        init(_ loads: [Load], limits: HostQueue.Limits) {
            self.loads = loads
            spans = Array(repeating: Span(sent: 0, ready: 0, end: 0), count: loads.count)
            begun.reserveCapacity(loads.count)
            queue = HostQueue(limits)
            unfinishedCount = loads.count
            for (index, load) in loads.enumerated() {
                queue.append(index, priority: load.priority, byteCount: load.expectedByteCount)
            }
        }

        var isUnfinished: Bool { unfinishedCount > 0 }

        /// The first load that awaits a connection.
        var awaitingConnection: Int? { connectedCount < begun.count ? begun[connectedCount] : nil }

        /// Notes that the first load that awaited a connection has one.
        mutating func connect() { connectedCount += 1 }

        mutating func popNext() {
            while let next = queue.popNext(isWaiting: { _, _ in true }) { begun.append(next.id) }
        }

        mutating func finish(_ load: Int, at time: Int64) {
            spans[load].end = time
            unfinishedCount -= 1
            queue.end(startedAs: loads[load].priority, byteCount: loads[load].expectedByteCount)
        }
    }
}
