// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import LogImport
package import Metering
import SessionLog

/// The costs of strategies for the users of one part of a log; the parts of a log, split by users, merge to its report.
package struct PartialReport: Sendable, Codable {
    /// The schema of partial reports.
    static let schema = "firemeter.partial/2"

    /// Which parts of how many there are, where the log was split by number.
    package struct Place: Sendable, Hashable, Codable {
        var numbers: [Int]
        let count: Int

        /// One part, counted from 1.
        package init(_ number: Int, of count: Int) { (numbers, self.count) = ([number], count) }

        fileprivate mutating func add(_ other: Place?) { numbers = (numbers + (other?.numbers ?? [])).sorted() }
    }

    private let schema: String
    private var place: Place?
    private let display: DisplaySizes
    /// Whether smaller copies of images can be had.
    private let hasCopies: Bool
    private var session: AuditedSession
    private let network: Network
    private var strategies: [StrategyPart]
    private var tried: TriedRemedies
    /// The views that are drawn.
    private var traced: TracedViews?

    /// Creates a report on a part, in which everything was simulated.
    ///
    /// Tried must be whatever avoids a cause in one of the strategies, whether or not the part has such bytes.
    ///
    /// `curves` are whole, one for each outcome that has some.
    package init(
        _ session: AuditedSession,
        traced: TracedViews?,
        network: Network,
        display: DisplaySizes,
        hasCopies: Bool,
        outcomes: [StrategyOutcome],
        curves: [String: ImageCurves] = [:],
        tried: TriedRemedies
    ) {
        schema = Self.schema
        self.display = display
        self.hasCopies = hasCopies
        self.session = session
        self.network = network
        strategies = outcomes.map { StrategyPart($0, curves: curves[$0.strategy.name]) }
        self.traced = traced
        self.tried = tried
    }

    /// Says which part of a log that was split by number it is of.
    package mutating func put(at place: Place?) { self.place = place }

    /// Gives the log the name that reports show; a pipe has none.
    package mutating func setName(ofLog name: String) { session.log = name }

    /// Reads the partial reports of a file, each in a line of its own or the only one.
    package static func all(at path: String) throws(AuditError) -> [PartialReport] {
        guard let text = FileManager.default.contents(atPath: path) else {
            throw AuditError(code: .inputOutput, description: "cannot read \(path)")
        }
        if let only = try? PartialReport(text, from: path) { return [only] }
        var reports: [PartialReport] = []
        let lines = text.split(separator: UInt8(ascii: "\n"))
        for line in lines.isEmpty ? [text] : lines { reports.append(try PartialReport(line, from: path)) }
        return reports
    }

    private init(_ text: Data, from path: String) throws(AuditError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: text)
            guard !strategies.isEmpty, strategies.allSatisfy(\.isPlausible),
                (1...1_000_000).contains(place?.count ?? 1), tried.isPlausible
            else {
                throw AuditError(code: .badData, description: "\(path) is no partial report: its numbers are absurd")
            }
        } catch let error as AuditError {
            throw error
        } catch {
            throw AuditError(code: .badData, description: "\(path) is no partial report: \(Self.problem(error))")
        }
        guard schema == Self.schema else {
            throw AuditError(code: .badData, description: "\(path): 'schema' must be '\(Self.schema)'")
        }
    }

    /// The report as JSON in one line, its keys sorted: the same report is the same line.
    package func json() throws -> String { try JSONReport.line(of: self) }

    /// Adds the report on another part, which was read from a path.
    package mutating func add(_ other: PartialReport, from path: String) throws(AuditError) {
        func differs(_ what: String) -> AuditError {
            AuditError(code: .usage, description: "\(path) is of another audit: \(what)")
        }
        guard session.imported == other.session.imported, session.createdAt == other.session.createdAt else {
            throw differs("its session began at \(other.session.createdAt)")
        }
        guard display == other.display else { throw differs("its screens are of other sizes") }
        guard hasCopies == other.hasCopies else { throw differs("not both have images of known sizes in pixels") }
        guard place?.count == other.place?.count else { throw differs("the log was split otherwise") }
        guard network == other.network else {
            throw differs("its network is \(other.network.name), not \(network.name)")
        }
        guard strategies.map(\.identity) == other.strategies.map(\.identity), tried.areSameRemedies(as: other.tried)
        else {
            throw differs("its strategies are \(other.strategies.map(\.name).joined(separator: ", "))")
        }
        let twice = Set(place?.numbers ?? []).intersection(other.place?.numbers ?? []).min()
        if let twice { throw differs("part \(twice) is there already") }
        if let both = session.add(other.session) { throw differs("the user \(both) is in another part, too") }
        place?.add(other.place)
        let isTracedElsewhere = other.traced.map { $0.isBefore(traced) } ?? false
        if isTracedElsewhere { traced = other.traced }
        for index in strategies.indices {
            strategies[index].add(other.strategies[index])
            if isTracedElsewhere { strategies[index].waterfalls = other.strategies[index].waterfalls }
        }
        tried.add(other.tried)
    }

    /// Whether strategies are compared with what really happened.
    package var isRecorded: Bool { RecordedUsage(session.imported) != nil }

    /// The names of the strategies.
    package var strategyNames: [String] { strategies.map(\.name) }

    /// The report on all parts that were added, with the remedies that were tried for all of their users in a second run.
    package func report(
        profile: PriceProfile,
        dailyUserCount: Int64?,
        baseline: String? = nil,
        remedies: RemedyPart? = nil
    ) async throws -> ReplayReport {
        if let remedies, !remedies.session.isOfUsers(of: session) {
            throw AuditError(
                code: .usage,
                description: "the remedies were tried for other users than those of the parts"
            )
        }
        if let remedies, remedies.display != display {
            throw AuditError(code: .usage, description: "the remedies were tried on screens of other sizes")
        }
        if let place, let missing = (1...place.count).first(where: { !place.numbers.contains($0) }) {
            throw AuditError(code: .usage, description: "part \(missing) of \(place.count) is missing")
        }
        let tried = remedies.map { self.tried.with($0.tried) } ?? self.tried
        let recorded = RecordedUsage(session.imported)
        let otherByteCount = recorded?.other.values.reduce(0) { $0 + $1.sent.body } ?? 0
        let (found, best) = try await outcomes(comparedWith: recorded) { strategy in
            try tried.byteCount(of: strategy).map { $0 + otherByteCount }
        }
        var outcomes = found
        if let listening = best?.strategy.listening, let recorded, let screens = tried.documentReads(of: listening) {
            outcomes[0].readRemedy = StrategyOutcome.ReadRemedy(
                listening,
                screens: screens,
                other: recorded.otherDocumentReads,
                insteadOf: outcomes[0]
            )
        }
        return ReplayReport(
            session: session,
            profile: profile,
            dailyUserCount: dailyUserCount,
            network: network,
            outcomes: outcomes,
            baseline: baseline,
            curves: best.flatMap { best in
                remedies?.curves[best.strategy.name] ?? strategies.first { $0.name == best.strategy.name }?.curves
            }
        )
    }

    /// The remedies that a second run tries, where the first one tried none.
    package func needed() async throws -> NeededRemedies {
        let asked = Locked<Set<String>>([])
        let recorded = RecordedUsage(session.imported)
        // Whichever remedy helps, it is asked for: none downloads less than nothing.
        let (_, best) = try await outcomes(comparedWith: recorded) { strategy in
            asked.withLock { _ = $0.insert(strategy.text) }
            return 0
        }
        return NeededRemedies(
            trials: Array(asked.withLock { $0 }),
            readTrials: recorded == nil ? [] : [best?.strategy.listening.text].compactMap { $0 },
            curves: [best?.strategy.name].compactMap { $0 }
        )
    }

    /// The costs of all strategies and of what really happened, with what was found in them; and the best strategy's.
    private func outcomes(
        comparedWith recorded: RecordedUsage?,
        trying trial: @escaping FindingSearch.Trial
    ) async throws -> ([StrategyOutcome], best: StrategyOutcome?) {
        var outcomes: [StrategyOutcome] = []
        // What no view explains is in no part, and in the whole once.
        for part in strategies {
            outcomes.append(part.outcome(of: try part.strategy(), adding: recorded?.other ?? [:]))
        }
        let best = StrategyOutcome.best(of: outcomes)
        if let recorded { outcomes.insert(StrategyOutcome(recorded: recorded, on: display), at: 0) }
        let search = FindingSearch(on: hasCopies ? display : nil, trying: trial)
        return (try await search.outcomesWithFindings(outcomes), best)
    }

    static func problem(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "'\(key.stringValue)' is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            context.debugDescription
        default: "\(error)"
        }
    }
}
