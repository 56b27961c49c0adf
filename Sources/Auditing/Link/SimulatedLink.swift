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
    private var loads: [HostLink.Load] = []
    /// When the last step began.
    private(set) var start: Int64 = 0
    /// The images and documents of the last step, with their times.
    private(set) var rows: [Row] = []

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

    /// An image or the documents of a step, with its times.
    struct Row: Sendable {
        /// The number of the image; `nil` for the documents.
        let image: Int?
        let source: Waterfall.Row.Source
        let asked: Int64
        let span: HostLink.Span
    }

    /// The times of a step that is taken at a time; `nil` when nothing was asked for.
    mutating func times(of step: SimulatedStep, at time: Int64) -> ViewTime? {
        let hasRows = step.query != nil || step.isListKnown || !step.shown.isEmpty
        rows.removeAll(keepingCapacity: true)
        guard hasRows else { return nil }
        let start = max(time, busyUntil)
        self.start = start
        var laidOut = start
        if let query = step.query {
            loads = [HostLink.Load(byteCount: Int64(query.answerByteCount))]
            let span = firestore.spans(of: loads, startingAt: start, limits: Self.lookups)[0]
            rows.append(Row(image: nil, source: .query, asked: start, span: span))
            laidOut = span.end
        }
        var ready = laidOut
        if !step.lookups.isEmpty {
            loads.removeAll(keepingCapacity: true)
            for lookup in step.lookups {
                loads.append(HostLink.Load(byteCount: Int64(lookup.exchange.answerByteCount)))
            }
            let spans = storage.spans(of: loads, startingAt: laidOut, limits: Self.lookups)
            for (lookup, span) in zip(step.lookups, spans) {
                rows.append(Row(image: lookup.image, source: .lookup, asked: laidOut, span: span))
                ready = max(ready, span.end)
            }
        }
        let shown = take(step.shown, startingAt: ready)
        let complete = shown?.last ?? ready
        busyUntil = take(step.prefetched, startingAt: complete, priority: .prefetch)?.last ?? complete
        return ViewTime(
            layout: step.query == nil && !step.isListKnown
                ? nil : (strategy.waitsForImages ? complete : laidOut) - start,
            firstImage: shown.map { (strategy.waitsForImages ? complete : $0.first) - start },
            complete: complete - start
        )
    }

    /// Lets images come; returns when the first and when the last was there.
    private mutating func take(
        _ deliveries: [SimulatedStep.Delivery],
        startingAt start: Int64,
        priority: ImagePriority = .normal
    ) -> (first: Int64, last: Int64)? {
        guard !deliveries.isEmpty else { return nil }
        loads.removeAll(keepingCapacity: true)
        for delivery in deliveries {
            guard let exchange = delivery.exchange else { continue }
            // Of an image that its server is only asked about, the client books nothing.
            let isAsked = delivery.source == .revalidation
            loads.append(
                HostLink.Load(
                    byteCount: Int64(exchange.answerByteCount),
                    expectedByteCount: isAsked ? 0 : min(max(0, delivery.expectedByteCount), 1 << 40),
                    priority: priority
                )
            )
        }
        let spans = loads.isEmpty ? [] : storage.spans(of: loads, startingAt: start, limits: limits)
        let here = HostLink.Span(sent: start, ready: start, end: start)
        var (loaded, disk) = (0, start)
        var (first, last) = (Int64.max, Int64.min)
        for delivery in deliveries {
            var (source, span) = (Waterfall.Row.Source.memory, here)
            switch delivery.source {
            case .memory: break
            case .disk:
                span = HostLink.Span(sent: disk, ready: disk, end: disk + rules.diskTime(of: delivery.byteCount))
                (source, disk) = (.disk, span.end)
            case .network, .revalidation, .failed:
                (source, span) = (.network, delivery.exchange == nil ? here : spans[loaded])
            case .joined: span = Self.span(ofKey: delivery.key, in: deliveries, spans: spans) ?? here
            }
            if delivery.exchange != nil { loaded += 1 }
            rows.append(Row(image: delivery.image, source: source, asked: start, span: span))
            (first, last) = (min(first, span.end), max(last, span.end))
        }
        return (first, last)
    }

    /// When the first image of a key came that was loaded.
    private static func span(
        ofKey key: Int,
        in deliveries: [SimulatedStep.Delivery],
        spans: [HostLink.Span]
    ) -> HostLink.Span? {
        var loaded = 0
        for delivery in deliveries where delivery.exchange != nil {
            if delivery.key == key { return spans[loaded] }
            loaded += 1
        }
        return nil
    }

    private var limits: HostQueue.Limits {
        HostQueue.Limits(
            countMax: strategy.concurrentLoadCountMax,
            byteCountMax: ImagePipeline.concurrentLoadByteCountMaxDefault,
            countMin: ImagePipeline.concurrentLoadCountMin
        )
    }
}
