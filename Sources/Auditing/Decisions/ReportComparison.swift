// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How the figures of a report stand to those of a former one.
struct ReportComparison: Sendable {
    /// A figure of a strategy that both reports have; one missing from one of them was or is 0.
    struct Change: Sendable, Hashable {
        let strategy: String
        /// The way to the figure in the reports' JSON.
        let figure: String
        let former: Double
        let now: Double

        /// The difference, of which people see the sign.
        var delta: Double { now - former }

        /// How many times the former figure it is; `nil` when that was zero.
        var ratio: Double? { former == 0 ? nil : now / former }
    }

    /// The figures that tables show, of all that there are.
    static let shown = [
        "bytes.body", "requests", "billed.documentReads", "cost.usdPerMonth", "time.firstImage.p95",
        "time.complete.p95",
        "wastedBytes",
    ]

    /// The path of the former report.
    package let path: String
    /// The figures that differ, in the order of the strategies and, for each, of the names.
    let changes: [Change]
    /// The strategies that only the new report has.
    let added: [String]
    /// The strategies that only the former report has.
    let gone: [String]
    /// Circumstances that differ, so that a change may be theirs: `network: lte, formerly slow-4g`.
    let differences: [String]

    init(
        _ figures: FigureSet,
        to former: FigureSet,
        at path: String,
        circumstances: [ReportCircumstance] = [],
        formerly: [ReportCircumstance] = []
    ) {
        self.path = path
        differences = circumstances.compactMap { now in
            guard let then = formerly.first(where: { $0.name == now.name }), then.value != now.value else { return nil }
            return "\(now.name): \(now.value), formerly \(then.value)"
        }
        changes = figures.rows.flatMap { row -> [Change] in
            guard let before = former.row(of: row.strategy) else { return [] }
            return Set(row.figures.keys).union(before.figures.keys).sorted().compactMap { name in
                // A figure missing from one of the reports, such as a share of nothing, counts as 0.
                let (now, then) = (row.figures[name] ?? 0, before.figures[name] ?? 0)
                return now == then ? nil : Change(strategy: row.strategy, figure: name, former: then, now: now)
            }
        }
        added = figures.rows.map(\.strategy).filter { former.row(of: $0) == nil }
        gone = former.rows.map(\.strategy).filter { figures.row(of: $0) == nil }
    }

    /// The notes on changes that tables leave out, and on strategies that are not in both reports.
    var notes: [String] {
        let hidden = changes.count - shownChanges.count
        let counted = Figure.counted(Int64(hidden), noun: "other figure") + " changed; the form json has all"
        let notes =
            (hidden > 0 ? [counted] : []) + added.map { "\($0) is new" } + gone.map { "\($0) is not there any more" }
        let unlike =
            differences.isEmpty
            ? [] : ["the reports are not of the same circumstances: \(differences.joined(separator: "; "))"]
        return unlike + (changes.isEmpty && notes.isEmpty ? ["no figure changed"] : notes)
    }

    /// The changes that tables show.
    var shownChanges: [Change] {
        Self.shown.flatMap { name in changes.filter { $0.figure == name } }
    }
}
