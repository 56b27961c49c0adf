// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Metering
import SessionLog

/// The costs of strategies, side by side, compared with one of them.
package struct ReplayReport: Sendable {
    /// The schema of reports as JSON.
    static let schema = "firemeter.report/1"
    /// The daily users that costs are given for by default, unless the log has more.
    package static let dailyUserCountDefault: Int64 = 1_000

    /// The session.
    let session: AuditedSession
    /// The quota that the downloads are compared with.
    package let profile: PriceProfile
    /// The daily users that costs are given for.
    package let dailyUserCount: Int64
    /// The network of the times.
    package let network: Network
    /// The strategies' outcomes.
    package let outcomes: [StrategyOutcome]
    /// The place of the outcome that the others are compared with.
    let baselineIndex: Int
    /// The misses of caches of growing sizes; `nil` where it was not asked for.
    package let curves: ImageCurves?
    /// How it stands to a former report, if it was compared with one.
    var comparison: ReportComparison?
    /// How a budget is kept, if there is one.
    var budget: Judgement?

    /// Creates a report on the replays of a session.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - profile: The quota that the downloads are compared with.
    ///   - dailyUserCount: The daily users that costs are given for; by default a thousand, or the log's where they are more.
    ///   - network: The network that the times were modelled for.
    ///   - outcomes: The strategies' outcomes.
    ///   - baseline: The strategy that the others are compared with; the first where it is not among them.
    ///   - curves: What caches of growing sizes would miss.
    package init(
        session: AuditedSession,
        profile: PriceProfile = .spark2023,
        dailyUserCount: Int64? = nil,
        network: Network = .default,
        outcomes: [StrategyOutcome],
        baseline: String? = nil,
        curves: ImageCurves? = nil
    ) {
        self.session = session
        self.profile = profile
        self.network = network
        self.dailyUserCount = dailyUserCount ?? max(Self.dailyUserCountDefault, Int64(session.clientCount))
        self.outcomes = outcomes
        baselineIndex = outcomes.firstIndex { $0.strategy.name == baseline } ?? 0
        self.curves = curves
    }

    /// The log's path, as it was given.
    var log: String { session.log }
    /// The number of users in the log.
    var clientCount: Int { session.clientCount }
    /// The number of views in the log.
    var viewCount: Int { session.viewCount }
    /// The days that the log covers, each begun one counted.
    var dayCount: Int64 { session.dayCount }
    /// The source of a log whose views were inferred.
    var imported: SessionHeader.Imported? { session.imported }

    /// The network and what it is like, as people read it.
    var networkTitle: String {
        let megabits = Figure.decimal(Double(network.downBitsPerSecond) / 1_000_000)
        let roundTrip = Figure.milliseconds(Double(network.roundTrip) / 1_000_000)
        return "\(network.title) (\(megabits) Mbit/s, round trip \(roundTrip))"
    }

    /// The share of a day's free downloads that the log's users took, in percent; `nil` where none are free by the day.
    ///
    /// Documents are not downloads: Firestore's bytes have a free amount of their own.
    func downloadPercent(_ outcome: StrategyOutcome) -> Double? {
        profile.downloadPercent(of: outcome.billed.amount(of: .storageEgressBytes))
    }

    /// The outcome that the others are compared with.
    var baseline: StrategyOutcome? { outcomes.indices.contains(baselineIndex) ? outcomes[baselineIndex] : nil }

    /// What really happened; `nil` where that is not known.
    var recorded: StrategyOutcome? { outcomes.first(where: \.isRecorded) }

    /// Whether the log says what really happened.
    var hasRecorded: Bool { recorded != nil }

    /// The outcome whose avoidable downloads are shown: what really happened, where its causes are known, else the nearest.
    var examined: StrategyOutcome? { recorded.flatMap { $0.causes == nil ? nil : $0 } ?? nearest }

    /// The simulated outcome nearest to what really happened, or the first.
    var nearest: StrategyOutcome? {
        recorded.map { $0.nearest(among: outcomes) } ?? outcomes.first { !$0.isRecorded }
    }

    /// The heading of the examined outcome's avoidable downloads, with its first word.
    func examinedHeading(_ what: String) -> String {
        let nearest = hasRecorded && examined?.isRecorded == false ? ", nearest to what was recorded," : ""
        return "\(what) \(examined?.subject ?? "")\(nearest) could do without"
    }

    /// The cost of an outcome by the profile.
    func forecast(_ outcome: StrategyOutcome) -> Forecast {
        Forecast(
            outcome.billed,
            profile: profile,
            userDayCount: max(1, Int64(clientCount)) * dayCount,
            dailyUserCount: dailyUserCount
        )
    }

    /// Body bytes of an outcome as a share of the baseline's; `nil` when the baseline moved none.
    func ratioToBaseline(_ outcome: StrategyOutcome) -> Double? {
        guard let baseline = baseline?.usage.sent.body, baseline > 0 else { return nil }
        return Double(outcome.usage.sent.body) / Double(baseline)
    }
}

extension ReplayReport {
    /// The cost of a month, and the used share of free amounts; empty where the profile knows neither.
    var costTable: String {
        let cells = cells(costColumns)
        guard cells.heading.count > 1 else { return "" }
        let hasPrices = outcomes.contains { forecast($0).hasPrices }
        let priced = hasPrices ? "a month      of 30 days\n" : ""
        return """

            \(TextTable(cells).rendered)

            for \(Figure.count(dailyUserCount)) daily users who do as the log's, profile \(profile.name) as of \(profile.asOf)
            \(priced)shares       of what is free by the day, or the month and the day of it on which it runs out

            """
    }
}

extension ReplayReport {
    /// The report as comma-separated values: a line for each strategy, a column for each figure by its name in the JSON.
    var csv: String {
        let figures = figures
        let names = figures.names
        let lines = figures.rows.map { row in
            ([row.strategy] + names.map { row.figures[$0].map(Self.plain) ?? "" }).map(Self.field).joined(
                separator: ","
            )
        }
        return ((["strategy"] + names).map(Self.field).joined(separator: ",") + "\r\n")
            + lines.map { $0 + "\r\n" }.joined()
    }

    /// Whole numbers without a fraction.
    private static func plain(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? String(number)
    }

    /// A field as RFC 4180 has it.
    private static func field(_ text: String) -> String {
        // By scalars: a line break of two is one character, and a quote with an accent another than a quote.
        let special: Set<Unicode.Scalar> = [",", "\"", "\r", "\n"]
        guard text.unicodeScalars.contains(where: special.contains) else { return text }
        let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? ["\"", "\""] : [$0] }
        return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
    }
}
