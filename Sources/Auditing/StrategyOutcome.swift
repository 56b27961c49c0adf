// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import LogImport
package import Metering

/// The costs of one strategy: the meter's figures and the clients'.
package struct StrategyOutcome: Sendable, Hashable {
    /// The strategy.
    package let strategy: Strategy
    /// The meter's count.
    package let usage: UsageTotals
    /// The part that each service bills.
    package let billed: ServiceUsage
    /// The clients' counts.
    package let counts: ClientCounts
    /// The figures of a simulation; `nil` where nothing was simulated.
    package let simulated: SimulatedFigures?
    /// The avoidable downloads, most bytes first.
    package internal(set) var findings: [Finding] = []
    /// The remedy that avoids several findings, and downloads less than any remedy of one and any strategy beside it; `nil` where
    /// none is known to.
    package internal(set) var remedyOfAll: Finding.Remedy?
    /// The recorded document reads by query and cause; only of what really happened.
    package private(set) var reads: RecordedReads?
    /// Why bytes were downloaded; only of what really happened, `nil` where no view explains any.
    private var recordedCauses: RecordedCauses?
    /// A strategy that is billed fewer document reads.
    package var readRemedy: ReadRemedy?

    /// A strategy, and the document reads that it is billed.
    package struct ReadRemedy: Sendable, Hashable {
        /// Its name.
        package let strategy: String
        /// All its billed reads.
        package let documentReads: Int64
        /// Its billed reads by screen, which is a list of a query.
        let screens: [String: Int64]
    }

    /// Creates an outcome.
    package init(
        strategy: Strategy,
        usage: UsageTotals,
        billed: ServiceUsage,
        counts: ClientCounts,
        simulated: SimulatedFigures? = nil
    ) {
        self.billed = billed
        self.simulated = simulated
        self.strategy = strategy
        self.usage = usage
        self.counts = counts
    }
}

extension StrategyOutcome {
    /// The outcome of what really happened, as it was metered, on screens of a size.
    package init(recorded usage: RecordedUsage, on display: DisplaySizes) {
        var totals = UsageTotals.zero
        var billed = ServiceUsage()
        for (service, part) in usage.total {
            totals.add(part)
            billed.add(part.billed, to: service)
        }
        self.init(strategy: .recorded, usage: totals, billed: billed, counts: ClientCounts())
        reads = usage.reads
        recordedCauses = usage.downloads.map { RecordedCauses($0, on: display) }
    }

    /// Why each byte was downloaded, but for those that no view explains; `nil` where that is not known.
    package var causes: CauseTally? { simulated?.causes ?? recordedCauses?.tally }

    /// The usage of each screen, by its name; of what really happened without views and caches.
    var screens: [String: ScreenUsage] { simulated?.screens ?? recordedCauses?.screens ?? [:] }

    /// The bytes that no view explains.
    var otherByteCount: Int64? { causes.map { usage.sent.body - $0.byteCount } }

    /// The billed document reads of a simulation or recorded views, by screen.
    package var documentReadsByScreen: [String: Int64] { screens.mapValues(\.documentReads) }

    /// Whether it is what really happened, and no strategy.
    package var isRecorded: Bool { strategy == .recorded }

    /// The subject of sentences on it.
    var subject: String { isRecorded ? "the recorded app" : strategy.name }

    /// The outcome of a strategy without users.
    package init(ofNobody strategy: Strategy) {
        self.init(
            strategy: strategy,
            usage: .zero,
            billed: ServiceUsage(),
            counts: ClientCounts(),
            simulated: SimulatedFigures()
        )
    }

    /// The one with the fewest bytes, the first of several.
    package static func best(of outcomes: [StrategyOutcome]) -> StrategyOutcome? {
        outcomes.min { $0.usage.sent.body < $1.usage.sent.body }
    }

    /// Bytes on the sockets in both directions.
    var wireBytes: Int64 { usage.received.wire + usage.sent.wire }

    /// Images answered by a cache, as a share of all that were asked for; 0 when none was.
    var hitRatio: Double { Self.share(of: counts.cacheHits, and: counts.cacheMisses) }

    /// Compared by bytes.
    var byteHitRatio: Double { Self.share(of: counts.cacheHitBytes, and: counts.cacheMissBytes) }

    private static func share(of hits: Int64, and misses: Int64) -> Double {
        hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses)
    }
}
