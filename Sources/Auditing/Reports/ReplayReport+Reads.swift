// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LogImport
import Metering
import SessionLog

extension StrategyOutcome.ReadRemedy {
    /// The reads that a trial is billed; `nil` where they are not fewer.
    ///
    /// - Parameters:
    ///   - trial: The strategy that was tried.
    ///   - screens: Its reads by screen.
    ///   - other: The reads that no view explains.
    ///   - outcome: What really happened.
    package init?(_ trial: Strategy, screens: [String: Int64], other: Int64, insteadOf outcome: StrategyOutcome) {
        let reads = screens.values.reduce(other, +)
        guard reads < outcome.usage.billed.documentReads else { return nil }
        self.init(strategy: trial.name, documentReads: reads, screens: screens)
    }
}

extension ReplayReport {
    private static let queryCountMax = 10

    /// The causes of document reads, by query; `nil` where no reads were recorded.
    var readsTable: (heading: [String], rows: [[String]])? {
        guard let queries = recordedReads?.queries, !queries.isEmpty else { return nil }
        let causes = readCauses
        var rows = queries.prefix(Self.queryCountMax).map { query in
            [query.name, Figure.count(query.total), Figure.count(Int64(query.documentCount))]
                + causes.map { Figure.count(query.causes[$0] ?? 0) }
        }
        if queries.count > Self.queryCountMax {
            let rest = queries[Self.queryCountMax...]
            rows.append(
                ["\(Figure.count(Int64(rest.count))) more", Figure.count(rest.reduce(0) { $0 + $1.total }), "-"]
                    + causes.map { cause in Figure.count(rest.reduce(0) { $0 + ($1.causes[cause] ?? 0) }) }
            )
        }
        return (["query", "reads", "documents"] + causes.map(\.rawValue), rows)
    }

    /// The causes that occurred.
    var readCauses: [ReadCause] {
        ReadCause.allCases.filter { cause in recordedReads?.queries.contains { $0.causes[cause] != nil } ?? false }
    }

    /// Sentences on the queries that brought, for the most part, what users had: the most read ones.
    var repeatedReads: [String] {
        recordedReads?.queries.prefix(Finding.partCountMax).compactMap(repeatedReads) ?? []
    }

    /// A sentence on a query that brought, for the most part, what users had.
    ///
    /// "posts order by likes: 3,200 reads of 72 documents in 44 views, 2,980 of them unchanged; with thumbnails+persistence 220
    /// reads (docs/refactorings.md#listeners-and-persistence)."
    func repeatedReads(of query: RecordedReads.Query) -> String? {
        guard let unchanged = query.causes[.unchanged], 2 * unchanged >= query.total else { return nil }
        let documents = Figure.counted(Int64(query.documentCount), noun: "document")
        let screens = Self.screens(of: query, in: listingOutcome?.simulated?.screens)
        let viewCount = screens.reduce(0) { $0 + $1.viewCount }
        let views = screens.isEmpty ? "" : " in " + Figure.counted(viewCount, noun: "view")
        let remedy = readsWithRemedy(of: query).map { reads in
            "with \(readRemedy?.strategy ?? "") \(Figure.counted(reads, noun: "read"))"
        }
        return "\(query.name): \(Figure.counted(query.total, noun: "read")) of \(documents)\(views), "
            + "\(Figure.count(unchanged)) of them unchanged; "
            + "\(remedy ?? Refactoring.listening.summary.lowercasedFirst) (\(Refactoring.listening.documents))."
    }

    /// The reads of a query that remain with the remedy; `nil` where it spares none of them.
    private func readsWithRemedy(of query: RecordedReads.Query) -> Int64? {
        let reads = Self.screens(of: query, in: listingOutcome?.simulated?.screens).reduce(0) { $0 + $1.documentReads }
        let withRemedy = Self.screens(of: query, in: recorded?.readRemedy?.screens)
        let remedy = withRemedy.reduce(0, +)
        guard !withRemedy.isEmpty, remedy < reads else { return nil }
        // What no view explains stays.
        return max(0, query.total - (reads - remedy))
    }

    /// The figures of the screens that show lists of a query.
    private static func screens<Figures>(of query: RecordedReads.Query, in screens: [String: Figures]?) -> [Figures] {
        (screens ?? [:]).filter { SessionView.List.isName($0.key, ofQuery: query.name) }.map(\.value)
    }

    /// The simulated strategy that differs from the remedy in how lists are read only.
    private var listingOutcome: StrategyOutcome? {
        let remedy = recorded?.readRemedy
        return outcomes.first { !$0.isRecorded && $0.strategy.listening.name == remedy?.strategy } ?? nearest
    }

    /// The strategy that spares reads, and how many: `18 reads in all, 4.3x less`.
    var readRemedy: (strategy: String, text: String)? {
        guard let outcome = recorded, let remedy = outcome.readRemedy else { return nil }
        let ratio = Double(remedy.documentReads) / Double(max(1, outcome.usage.billed.documentReads))
        return (remedy.strategy, "\(Figure.count(remedy.documentReads)) reads in all, \(Self.saving(ratio))")
    }

    private var recordedReads: RecordedReads? { recorded?.reads }

    /// Why each document read was billed, as text; empty where no reads were recorded.
    var readsText: String {
        guard let table = readsTable else { return "" }
        let remedy = readRemedy.map { "    try       \($0.strategy): \($0.text)\n" } ?? ""
        let sentences = repeatedReads.map { $0.wrapped(to: Self.columnCountMax, indent: "  ") + "\n" }
        let findings = sentences.joined() + remedy
        return "\n\(TextTable(table).rendered)\n\n"
            + readCauses.map { $0.rawValue.padded(to: 13) + $0.explanation + "\n" }.joined()
            + (findings.isEmpty ? "" : "\nreads that could be spared\n\n" + findings)
    }
}

extension ReadCause {
    /// Its meaning.
    var explanation: String {
        switch self {
        case .first: "documents that the user had not read before"
        case .unchanged: "documents that the user had read before, and that are the same since"
        case .changed: "documents that had changed since the user's last read"
        case .missing: "names that have no document"
        case .empty: "queries without results, one read each"
        case .index: "index entries that were counted, up to 1,000 for a read"
        case .rules: "documents that Security Rules looked at, by get() and exists()"
        case .other: "skipped by an offset, or not described by the log"
        }
    }
}

/// The reads of a query, as JSON.
struct QueryJSON: Encodable {
    let query: String
    let reads: Int64
    let documents: Int
    let causes: [String: Int64]
    /// What to do about reads of what users had, in words.
    let sentence: String?
    /// Where the change is shown in code.
    let document: String?

    init(_ query: RecordedReads.Query, in report: ReplayReport) {
        sentence = report.repeatedReads(of: query)
        document = sentence.map { _ in Refactoring.listening.document }
        self.query = query.name
        reads = query.total
        documents = query.documentCount
        causes = Dictionary(uniqueKeysWithValues: query.causes.map { ($0.key.rawValue, $0.value) })
    }

    struct Remedy: Encodable {
        let strategy: String
        let documentReads: Int64

        init(_ remedy: StrategyOutcome.ReadRemedy) {
            (strategy, documentReads) = (remedy.strategy, remedy.documentReads)
        }
    }
}
