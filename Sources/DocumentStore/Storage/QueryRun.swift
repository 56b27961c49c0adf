// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// One run of a query.
struct QueryRun {
    let plan: QueryPlan
    let session: ReadSession
    /// What was different at the time asked for.
    let past: FormerDocuments?
    var delivery: QueryDelivery
    private var entriesRead = 0
    private var documentsRead = 0
    private var isScan = false

    init(plan: QueryPlan, session: ReadSession, past: FormerDocuments?, delivery: QueryDelivery) {
        self.plan = plan
        self.session = session
        self.past = past
        self.delivery = delivery
    }

    mutating func perform(in database: Int64, _ body: (Document) throws -> Bool) throws {
        guard let sources = try session.sources(for: plan, in: database) else {
            return try scan(database, body)
        }
        if plan.access.isInOrder {
            try stream(sources, body)
        } else {
            try sort(sources, body)
        }
    }

    func summary(readTime: Timestamp) -> QuerySummary {
        var summary = delivery.summary(readTime: readTime)
        // Without an index, what a fitting one would have read.
        summary.indexEntriesRead = isScan ? summary.returnedCount + summary.skippedCount : entriesRead
        summary.documentsRead = documentsRead
        summary.rangeFieldCount = plan.rangeFieldCount
        summary.explanation = PlanExplanation(plan)
        return summary
    }

    /// Reads entries in the query's order, up to the limit.
    private mutating func stream(_ sources: [EntrySource], _ body: (Document) throws -> Bool) throws {
        var former = past?.candidates[...] ?? []
        for source in sources {
            for interval in source.branch.runs.joined() {
                var entries = 0
                defer { entriesRead += entries }
                let wantsMore = try source.visit(interval, &entries) { found in
                    if past?.replacedRows.contains(found.row) ?? false { return true }
                    if former.isEmpty, source.branch.isComplete, delivery.skips() { return true }
                    guard let candidate = try candidate(found, source.branch) else { return true }
                    return try deliver(&former, before: candidate, body) && delivery.deliver(candidate, body)
                }
                guard wantsMore else { return }
            }
        }
        _ = try deliver(&former, before: nil, body)
    }

    /// The document of an entry, if it is one of those wanted.
    private mutating func candidate(_ found: FoundDocument, _ branch: AccessPath.Branch) throws -> Candidate? {
        documentsRead += 1
        let candidate = Candidate(row: found.row, try found.load(), in: plan.database)
        return branch.isComplete || plan.accepts(candidate) ? candidate : nil
    }

    /// Delivers the documents that were at the time but are no more, up to the place of one that still is.
    private mutating func deliver(
        _ former: inout ArraySlice<FormerDocuments.Member>,
        before candidate: Candidate?,
        _ body: (Document) throws -> Bool
    ) throws -> Bool {
        guard !former.isEmpty else { return true }
        let key = candidate?.sortKey(in: plan.orders)
        while let first = former.first, key.map({ first.key < $0 }) ?? true {
            former.removeFirst()
            guard try delivery.deliver(first.candidate, body) else { return false }
        }
        return true
    }

    /// Reads of each run as many as the limit lets through, and puts all in order.
    private mutating func sort(_ sources: [EntrySource], _ body: (Document) throws -> Bool) throws {
        var first = FirstCandidates(plan)
        for source in sources {
            for run in source.branch.runs {
                try add(run, of: source, to: &first)
            }
        }
        try finish(&first, body)
    }

    private mutating func add(
        _ run: [KeyInterval],
        of source: EntrySource,
        to first: inout FirstCandidates
    ) throws {
        var wantedCount = first.countMax ?? .max
        for interval in run {
            var entries = 0
            defer { entriesRead += entries }
            let wantsMore = try source.visit(interval, &entries) { found in
                if past?.replacedRows.contains(found.row) ?? false || first.has(found.row) { return true }
                guard let candidate = try candidate(found, source.branch) else { return true }
                first.add(candidate)
                wantedCount -= 1
                return wantedCount > 0
            }
            guard wantsMore else { return }
        }
    }

    /// Looks at every document of the scope.
    private mutating func scan(_ database: Int64, _ body: (Document) throws -> Bool) throws {
        isScan = true
        var first = FirstCandidates(plan)
        let walk = CollectionWalk(db: session.db, database: database)
        try walk.visitDocuments(of: try walk.collections(of: plan.scope)) { row, document in
            documentsRead += 1
            let candidate = Candidate(row: row, document, in: plan.database)
            if !(past?.replacedRows.contains(row) ?? false), plan.accepts(candidate) {
                first.add(candidate)
            }
            return true
        }
        if documentsRead > session.caches.limits.scanCountMax {
            session.caches.wish(for: session.shapesMissing(for: plan, in: database), in: plan.database)
        }
        try finish(&first, body)
    }

    private mutating func finish(_ first: inout FirstCandidates, _ body: (Document) throws -> Bool) throws {
        for member in past?.candidates ?? [] {
            first.add(member.candidate)
        }
        for candidate in first.finish() {
            guard try delivery.deliver(candidate, body) else { return }
        }
    }
}

extension Candidate {
    init(row: Int64, _ document: Document, in database: DatabaseID) {
        self.init(
            row: row,
            reference: DocumentReference(database: database, path: document.path),
            document: document
        )
    }
}
