// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// The costs of one strategy for the users of a part of a log.
struct StrategyPart: Sendable, Codable {
    /// The settings that all parts must share.
    struct Identity: Sendable, Hashable {
        let name: String
        let text: String
    }

    let name: String
    private let text: String
    private var requests: Int64
    private var received: TransferredBytes
    private var sent: TransferredBytes
    private var billed: BilledUsage
    private var services: ServiceUsage
    private var counts: ClientCounts
    private var views: [String: SimulatedFigures.View]
    private var screens: [String: ScreenUsage]
    private var causes: CauseTally
    private var downloadsByMinute: MinuteCounts
    /// The waterfalls of the views that are drawn.
    package var waterfalls: [Waterfall]
    /// The bytes that caches would miss; `nil` where it was not asked for, or the part's users ask for no images.
    private(set) var curves: ImageCurves?

    init(_ outcome: StrategyOutcome, curves: ImageCurves?) {
        let simulated = outcome.simulated ?? SimulatedFigures()
        name = outcome.strategy.name
        text = outcome.strategy.text
        requests = outcome.usage.requests
        received = outcome.usage.received
        sent = outcome.usage.sent
        billed = outcome.usage.billed
        services = outcome.billed
        counts = outcome.counts
        views = Dictionary(uniqueKeysWithValues: simulated.views.map { ($0.key.rawValue, $0.value) })
        screens = simulated.screens
        causes = simulated.causes
        downloadsByMinute = MinuteCounts(byMinute: simulated.downloadsByMinute)
        waterfalls = simulated.waterfalls
        self.curves = curves
    }

    /// The bound of a part's count: a thousand parts add up to a number.
    static let range: ClosedRange<Int64> = 0...1 << 53

    /// Whether all counts are in range.
    var isPlausible: Bool {
        let sides = [received, sent].flatMap { [$0.header, $0.body, $0.wire] }
        let all =
            sides + [requests, billed.egressBytes, billed.classA, billed.classB, billed.documentReads]
            + [billed.documentWrites, billed.documentDeletes, counts.requests, counts.bodyBytes, counts.cacheHits]
            + [counts.cacheMisses, counts.cacheHitBytes, counts.cacheMissBytes] + downloadsByMinute.byMinute.values
            + downloadsByMinute.byMinute.keys
        return all.allSatisfy(Self.range.contains) && causes.isPlausible && services.isPlausible
            && screens.values.allSatisfy(\.isPlausible)
            && curves?.isPlausible != false
            && waterfalls.flatMap(\.rows).allSatisfy { row in
                [row.asked, row.sent, row.ready, row.end].allSatisfy(Self.range.contains)
            }
            && views.values.allSatisfy { view in
                [view.count, view.requestCount, view.byteCount].allSatisfy(Self.range.contains)
                    && [view.times.layout, view.times.firstImage, view.times.complete].allSatisfy(\.isPlausible)
            }
    }

    var identity: Identity { Identity(name: name, text: text) }

    mutating func add(_ other: StrategyPart) {
        requests += other.requests
        received = received + other.received
        sent = sent + other.sent
        billed = billed + other.billed
        services.add(other.services)
        counts.add(other.counts)
        for (kind, view) in other.views { views[kind, default: SimulatedFigures.View()].add(view) }
        for (name, screen) in other.screens { screens[name, default: ScreenUsage()].add(screen) }
        causes.add(other.causes)
        downloadsByMinute.byMinute.merge(other.downloadsByMinute.byMinute) { $0 + $1 }
        guard let others = other.curves else { return }
        if curves == nil { curves = others } else { curves?.add(others) }
    }

    /// The strategy.
    func strategy() throws(StrategyError) -> Strategy {
        var strategy = try Strategy(text)
        strategy.name = name
        return strategy
    }

    /// The costs of the strategy, with usage that is the same for all.
    func outcome(
        of strategy: Strategy,
        adding other: [UsageAttribution.Service: UsageTotals]
    ) -> StrategyOutcome {
        var usage = UsageTotals(requests: requests, received: received, sent: sent, billed: billed)
        var services = services
        for (service, totals) in other {
            usage.add(totals)
            services.add(totals.billed, to: service)
        }
        let kinds = views.compactMap { key, view in SessionView.Kind(rawValue: key).map { ($0, view) } }
        return StrategyOutcome(
            strategy: strategy,
            usage: usage,
            billed: services,
            counts: counts,
            simulated: SimulatedFigures(
                views: Dictionary(uniqueKeysWithValues: kinds),
                screens: screens,
                causes: causes,
                waterfalls: waterfalls,
                downloadsByMinute: downloadsByMinute.byMinute
            )
        )
    }
}
