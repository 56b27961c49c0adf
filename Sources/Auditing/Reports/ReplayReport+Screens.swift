// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension ReplayReport {
    /// A table with a row for each screen: what it cost with each strategy, and what really happened.
    struct ScreenTable {
        /// The headings, the first one of the screens.
        let heading: [String]
        let rows: [[String]]
    }

    /// The outcomes that have screens.
    private var outcomesWithScreens: [StrategyOutcome] { outcomes.filter { !$0.screens.isEmpty } }

    /// The names of all screens, those with the most bytes of the first outcome first.
    var screens: [String] {
        let first = outcomesWithScreens.first?.screens ?? [:]
        let names = Set(outcomesWithScreens.flatMap(\.screens.keys))
        return names.sorted { left, right in
            (first[right]?.byteCount ?? 0, left) < (first[left]?.byteCount ?? 0, right)
        }
    }

    /// The bytes of each screen; its views, and its document reads where these are the same with each strategy, stand before them.
    var screenBytes: ScreenTable? {
        guard !screens.isEmpty else { return nil }
        let largest = outcomesWithScreens.flatMap { $0.screens.values.map(\.byteCount) }.max()
        var table = screenTable("bytes by screen", of: outcomesWithScreens) {
            Figure.bytes($0.byteCount, largest: largest)
        }
        table = table.with("views", at: 1, cells: firstUsages.map { Figure.count($0.viewCount) })
        guard hasEqualReads else { return table }
        return table.with("doc reads", at: 2, cells: firstUsages.map { Figure.count($0.documentReads) })
    }

    /// The document reads of each screen, where strategies differ in them.
    var screenReads: ScreenTable? {
        hasEqualReads
            ? nil : screenTable("doc reads by screen", of: outcomesWithScreens) { Figure.count($0.documentReads) }
    }

    /// The images that caches had, of those that a screen requested: in memory, on disk, and where a server said that a cache has
    /// the current one; only strategies that have such.
    var screenHits: ScreenTable? {
        let caching = outcomesWithScreens.filter { $0.counts.cacheHits > 0 }
        guard !caching.isEmpty else { return nil }
        let hasRevalidated = self.hasRevalidatedHits
        return screenTable("cache hits by screen", of: caching) { usage in
            let hits = [usage.memoryHits, usage.diskHits] + (hasRevalidated ? [usage.revalidatedHits] : [])
            guard usage.hits + usage.misses > 0 else { return "-" }
            return hits.map(Figure.count).joined(separator: " + ") + " of \(Figure.count(usage.hits + usage.misses))"
        }
    }

    /// The parts of a cell of ``screenHits``, in words.
    var hitsExplanation: String {
        "found in memory + on disk" + (hasRevalidatedHits ? " + still current, as the server said" : "")
            + ", of the images that the screen requested"
    }

    private var hasRevalidatedHits: Bool {
        outcomesWithScreens.contains { $0.screens.values.contains { $0.revalidatedHits > 0 } }
    }

    /// The usages of the first simulated strategy, in the order of the screens.
    private var firstUsages: [ScreenUsage] {
        let first = outcomesWithScreens.first { !$0.isRecorded }?.screens ?? [:]
        return screens.map { first[$0] ?? ScreenUsage() }
    }

    private var hasEqualReads: Bool {
        let reads = outcomesWithScreens.map { $0.documentReadsByScreen.filter { $0.value != 0 } }
        return reads.allSatisfy { $0 == reads.first }
    }

    private func screenTable(
        _ title: String,
        of outcomes: [StrategyOutcome],
        _ cell: (ScreenUsage) -> String
    ) -> ScreenTable {
        let rows = screens.map { screen in
            [screen] + outcomes.map { $0.screens[screen].map(cell) ?? "-" }
        }
        return ScreenTable(heading: [title] + outcomes.map(\.strategy.name), rows: rows)
    }

    /// The tables of the screens as text; empty where there are none.
    var screensText: String {
        let tables = [screenBytes, screenReads, screenHits].compactMap(\.self)
        guard !tables.isEmpty else { return "" }
        let texts = tables.map { TextTable.blocks(($0.heading, $0.rows), width: Self.columnCountMax) }
        let note = screenHits == nil ? "" : "\n\ncache hits   \(hitsExplanation)"
        return "\n" + texts.joined(separator: "\n\n") + note + "\n"
    }

    /// The characters of a line of text.
    static let columnCountMax = 120
}

extension ReplayReport.ScreenTable {
    /// The table with another column at a place.
    fileprivate func with(_ title: String, at place: Int, cells: [String]) -> Self {
        func inserting(_ cell: String, into row: [String]) -> [String] {
            Array(row[..<place]) + [cell] + row[place...]
        }
        return Self(
            heading: inserting(title, into: heading),
            rows: zip(rows, cells).map { inserting($1, into: $0) }
        )
    }
}

/// The usage of a screen, as JSON.
struct ScreenJSON: Encodable {
    struct Cache: Encodable {
        let memoryHits: Int64
        let diskHits: Int64
        let revalidatedHits: Int64
        let misses: Int64

        init(_ usage: ScreenUsage) {
            (memoryHits, diskHits) = (usage.memoryHits, usage.diskHits)
            (revalidatedHits, misses) = (usage.revalidatedHits, usage.misses)
        }
    }

    let screen: String
    /// Only of simulations, as the views of what really happened are theirs.
    let views: Int64?
    let requests: Int64
    let bytes: Int64
    let documentReads: Int64
    /// Only of simulations: hits are in no log of requests.
    let cache: Cache?

    private init(_ name: String, _ usage: ScreenUsage, isRecorded: Bool) {
        screen = name
        views = isRecorded ? nil : usage.viewCount
        requests = usage.requestCount
        bytes = usage.byteCount
        documentReads = usage.documentReads
        cache = isRecorded ? nil : Cache(usage)
    }

    /// All screens of an outcome, most bytes first.
    static func all(of outcome: StrategyOutcome) -> [ScreenJSON] {
        outcome.screens.map { ScreenJSON($0, $1, isRecorded: outcome.isRecorded) }
            .sorted { ($1.bytes, $0.screen) < ($0.bytes, $1.screen) }
    }
}
