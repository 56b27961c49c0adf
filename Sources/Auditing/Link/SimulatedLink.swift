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

    init(_ network: Network, _ strategy: Strategy, _ rules: LinkRules = LinkRules()) {
        self.rules = rules
        self.strategy = strategy
        firestore = HostLink(network, rules, strategy.httpVersion)
        storage = HostLink(network, rules, strategy.httpVersion)
    }

    /// Closes the connections, as quitting the app does.
    mutating func close() {
        firestore.close()
        storage.close()
    }

    /// The times of a step that is taken at a time; `nil` when nothing was asked for.
    mutating func times(of step: SimulatedClient.Step, at time: Int64) -> ViewTime? {
        guard step.query != nil || !step.shown.isEmpty else { return nil }
        let start = max(time, busyUntil)
        var laidOut = start
        if let query = step.query {
            laidOut = firestore.ends(of: [Self.load(query)], startingAt: start, limits: Self.lookups)[0]
        }
        var ready = laidOut
        if !step.lookups.isEmpty {
            let lookups = step.lookups.map { Self.load($0.exchange) }
            ready = storage.ends(of: lookups, startingAt: laidOut, limits: Self.lookups).max() ?? ready
        }
        let ends = ends(of: step.shown, startingAt: ready)
        let complete = ends.max() ?? ready
        let prefetched = self.ends(of: step.prefetched, startingAt: complete, priority: .prefetch)
        busyUntil = prefetched.max() ?? complete
        return ViewTime(
            layout: step.query == nil ? nil : (strategy.waitsForImages ? complete : laidOut) - start,
            firstImage: ends.min().map { (strategy.waitsForImages ? complete : $0) - start },
            complete: complete - start
        )
    }

    private mutating func ends(
        of deliveries: [SimulatedPipeline.Delivery],
        startingAt start: Int64,
        priority: ImagePriority = .normal
    ) -> [Int64] {
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
        let loadEnds = storage.ends(of: loads, startingAt: start, limits: limits)
        let endByIndex = Dictionary(uniqueKeysWithValues: zip(loaded, loadEnds))
        let endByKey = Dictionary(
            zip(loaded.map { deliveries[$0].reference.cacheKey }, loadEnds),
            uniquingKeysWith: { first, _ in first }
        )
        var disk = start
        return deliveries.indices.map { index in
            switch deliveries[index].source {
            case .memory: return start
            case .disk:
                disk += rules.diskTime(of: deliveries[index].byteCount)
                return disk
            case .network, .revalidation, .failed: return endByIndex[index] ?? start
            case .joined: return endByKey[deliveries[index].reference.cacheKey] ?? start
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
