// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// The connections of one user's app to its two services, and the phone's disk: when what a step asks for is there.
///
/// Views of a user do not overlap: one begins when the user touches, or when all of the one before is there.
struct SimulatedLink: Sendable {
    /// The lookups of addresses that are made at a time.
    private static let lookups = HostQueue.Limits(countMax: 6, byteCountMax: .max, countMin: 6)

    private let strategy: Strategy
    private let rules: LinkRules
    private var firestore: HostLink
    private var storage: HostLink
    private var busyUntil: Int64 = 0

    init(_ network: Network, strategy: Strategy, rules: LinkRules = LinkRules()) {
        self.rules = rules
        self.strategy = strategy
        firestore = HostLink(network, rules: rules, version: strategy.httpVersion)
        storage = HostLink(network, rules: rules, version: strategy.httpVersion)
    }

    /// Closes the connections, as quitting the app does.
    mutating func close() {
        firestore.close()
        storage.close()
    }

    /// How long a step took, and what came when.
    struct Timing: Sendable {
        let time: ViewTime
        /// The requests, in times from the step's start on.
        var rows: [Waterfall.Row]
    }

    /// The times of a step that is taken at a time; `nil` when nothing was asked for.
    mutating func times(of step: SimulatedClient.Step, at time: Int64) -> ViewTime? { timing(of: step, at: time)?.time }

    /// The figures, and the waterfalls.
    mutating func timing(of step: SimulatedClient.Step, at time: Int64) -> Timing? {
        guard step.query != nil || step.isListKnown || !step.shown.isEmpty else { return nil }
        let start = max(time, busyUntil)
        var rows: [Waterfall.Row] = []
        if let query = step.query {
            let span = firestore.spans(of: [Self.load(query)], startingAt: start, limits: Self.lookups)[0]
            rows.append(Waterfall.Row("documents", source: .query, asked: start, span: span))
        }
        let laidOut = rows.last?.end ?? start
        if !step.lookups.isEmpty {
            let lookups = step.lookups.map { Self.load($0.exchange) }
            let spans = storage.spans(of: lookups, startingAt: laidOut, limits: Self.lookups)
            rows += zip(step.lookups, spans).map {
                Waterfall.Row($0.reference.subject, source: .lookup, asked: laidOut, span: $1)
            }
        }
        let ready = rows.map(\.end).max() ?? start
        let shown = self.rows(of: step.shown, startingAt: ready)
        let complete = shown.map(\.end).max() ?? ready
        let prefetched = self.rows(of: step.prefetched, startingAt: complete, priority: .prefetch)
        busyUntil = prefetched.map(\.end).max() ?? complete
        let time = ViewTime(
            layout: step.query == nil && !step.isListKnown
                ? nil : (strategy.waitsForImages ? complete : laidOut) - start,
            firstImage: shown.map(\.end).min().map { (strategy.waitsForImages ? complete : $0) - start },
            complete: complete - start
        )
        return Timing(time: time, rows: (rows + shown + prefetched).map { $0.from(start) })
    }

    private mutating func rows(
        of deliveries: [SimulatedPipeline.Delivery],
        startingAt start: Int64,
        priority: ImagePriority = .normal
    ) -> [Waterfall.Row] {
        let loaded = deliveries.indices.filter { deliveries[$0].exchange != nil }
        let loads = loaded.compactMap { index in
            deliveries[index].exchange.map { exchange in
                var load = Self.load(exchange)
                load.priority = priority
                // Of an image that its server is only asked about, the client books nothing.
                let isAsked = deliveries[index].source == .revalidation
                load.expectedByteCount = isAsked ? 0 : min(max(0, deliveries[index].reference.byteCount ?? 0), 1 << 40)
                return load
            }
        }
        let spans = storage.spans(of: loads, startingAt: start, limits: limits)
        let spanByIndex = Dictionary(uniqueKeysWithValues: zip(loaded, spans))
        let spanByKey = Dictionary(
            zip(loaded.map { deliveries[$0].key }, spans),
            uniquingKeysWith: { first, _ in first }
        )
        let here = HostLink.Span(sent: start, ready: start, end: start)
        var disk = start
        return deliveries.indices.map { index in
            let (delivery, name) = (deliveries[index], deliveries[index].reference.subject)
            switch delivery.source {
            case .memory: return Waterfall.Row(name, source: .memory, asked: start, span: here)
            case .disk:
                let span = HostLink.Span(sent: disk, ready: disk, end: disk + rules.diskTime(of: delivery.byteCount))
                disk = span.end
                return Waterfall.Row(name, source: .disk, asked: start, span: span)
            case .network, .revalidation, .failed:
                return Waterfall.Row(name, source: .network, asked: start, span: spanByIndex[index] ?? here)
            case .joined:
                return Waterfall.Row(name, source: .memory, asked: start, span: spanByKey[delivery.key] ?? here)
            }
        }
    }

    private var limits: HostQueue.Limits {
        HostQueue.Limits(
            countMax: strategy.concurrentLoadCountMax,
            byteCountMax: ImagePipeline.concurrentLoadByteCountMaxDefault,
            countMin: ImagePipeline.concurrentLoadCountMin
        )
    }

    private static func load(_ exchange: FeedCatalog.Exchange) -> HostLink.Load {
        let head = SimulationTally.responseHeadByteCount(of: exchange)
        return HostLink.Load(byteCount: Int64(head + exchange.byteCount))
    }
}

extension Waterfall.Row {
    fileprivate init(_ name: String, source: Source, asked: Int64, span: HostLink.Span) {
        self.init(name: name, source: source, asked: asked, sent: span.sent, ready: span.ready, end: span.end)
    }

    /// In times from a moment on.
    fileprivate func from(_ start: Int64) -> Self {
        Self(
            name: name,
            source: source,
            asked: asked - start,
            sent: sent - start,
            ready: ready - start,
            end: end - start
        )
    }
}
