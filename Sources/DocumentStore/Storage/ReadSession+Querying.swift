// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension ReadSession {
    /// Answers a query, handing out documents as soon as their place is known.
    func run(_ plan: QueryPlan, forEach body: (Document) throws -> Void) throws -> QuerySummary {
        var delivery = QueryDelivery(plan)
        if plan.limit != 0, let scan = try scan(for: plan) {
            let replaced = try replacedDocuments(for: plan, database: scan.database)
            if plan.access.order == .unrelated || !replaced.isEmpty {
                try sort(plan, scan, replaced, &delivery, body)
            } else {
                try stream(plan, scan, &delivery, body)
            }
        }
        return delivery.summary(readTime: readTime)
    }

    /// Reading the past: what the index no longer leads to.
    private func replacedDocuments(for plan: QueryPlan, database: Int64) throws -> [Candidate] {
        guard let past else { return [] }
        return try replacedDocuments(in: plan.scope, of: database, since: past).enumerated().map { number, document in
            Candidate(
                // No row has it.
                row: Int64(-1 - number),
                reference: DocumentReference(database: plan.database, path: document.path),
                document: document
            )
        }
    }

    /// Whether a present document was the same at the time of reading.
    private func isOfItsTime(_ candidate: Candidate) -> Bool {
        past.map { candidate.document.updateTime <= $0 } ?? true
    }

    /// `nil` when nothing was ever written there.
    private func scan(for plan: QueryPlan) throws -> IndexScan? {
        guard let database = try db.id(of: plan.database) else { return nil }
        var scope: Int64?
        if let indexScope = plan.scope.indexScope {
            guard let id = try db.id(of: indexScope, in: database) else { return nil }
            scope = id
        }
        return IndexScan(
            db: db,
            databaseID: plan.database,
            database: database,
            scope: scope,
            direction: plan.access.direction
        )
    }

    /// Reads in the query's order, up to the limit.
    private func stream(
        _ plan: QueryPlan,
        _ scan: IndexScan,
        _ delivery: inout QueryDelivery,
        _ body: (Document) throws -> Void
    ) throws {
        var run = SortedRun(plan)
        for range in plan.access.ranges {
            let isWanted = try scan.visit(range) { entry in
                delivery.entriesRead += 1
                guard isOfItsTime(entry.candidate), plan.accepts(entry.candidate) else { return true }
                for candidate in run.add(entry) {
                    guard try delivery.deliver(candidate, body) else { return false }
                }
                return true
            }
            guard isWanted else { return }
        }
        for candidate in run.finish() {
            guard try delivery.deliver(candidate, body) else { return }
        }
    }

    /// Reads all candidates and keeps those that the limit lets through.
    private func sort(
        _ plan: QueryPlan,
        _ scan: IndexScan,
        _ replaced: [Candidate],
        _ delivery: inout QueryDelivery,
        _ body: (Document) throws -> Void
    ) throws {
        var first = FirstCandidates(plan)
        for candidate in replaced where plan.accepts(candidate) {
            first.add(candidate)
        }
        for range in plan.access.ranges {
            _ = try scan.visit(range) { entry in
                delivery.entriesRead += 1
                if isOfItsTime(entry.candidate), plan.accepts(entry.candidate) {
                    first.add(entry.candidate)
                }
                return true
            }
        }
        for candidate in first.finish() {
            guard try delivery.deliver(candidate, body) else { return }
        }
    }
}
