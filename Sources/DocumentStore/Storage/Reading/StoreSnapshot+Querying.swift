// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension StoreSnapshot {
    /// Answers a query, handing out documents as soon as their place is known.
    func run(_ plan: QueryPlan, forEach body: (Document) throws -> Void) throws -> QuerySummary {
        try run(plan) { document in
            try body(document)
            return true
        }
    }

    /// Answers a query, as of a time if one is given, until the body has enough.
    func run(
        _ plan: QueryPlan,
        at time: Timestamp? = nil,
        delivery: QueryDelivery? = nil,
        while body: (Document) throws -> Bool
    ) throws -> QuerySummary {
        var progress = QueryProgress(delivery ?? QueryDelivery(plan))
        try begin(plan, progress: &progress, at: time, while: body)
        return progress.summary(of: plan, readTime: time ?? readTime)
    }

    /// Answers a query from its beginning, as of a time if one is given.
    func begin(
        _ plan: QueryPlan,
        progress: inout QueryProgress,
        at time: Timestamp?,
        while body: (Document) throws -> Bool
    ) throws {
        progress.past = try time.map { try FormerDocuments(in: plan, at: $0, snapshot: self) }
        try run(plan, progress: &progress, at: time ?? readTime, while: body)
    }

    /// Answers more of a query as of a time at which a part of it was answered before.
    func resume(
        _ plan: QueryPlan,
        progress: inout QueryProgress,
        at time: Timestamp,
        while body: (Document) throws -> Bool
    ) throws {
        if progress.past != nil {
            try progress.past?.update(in: plan, snapshot: self)
        } else if lastCommit > time {
            progress.past = try FormerDocuments(in: plan, at: time, snapshot: self)
        }
        try run(plan, progress: &progress, at: time, while: body)
    }

    private func run(
        _ plan: QueryPlan,
        progress: inout QueryProgress,
        at time: Timestamp,
        while body: (Document) throws -> Bool
    ) throws {
        guard plan.limit != 0, let database = try row(of: plan.database) else {
            progress.rest = .nothing
            return
        }
        var run = QueryExecution(plan: plan, snapshot: self, time: time, past: progress.past, progress: progress)
        defer { progress = run.progress }
        // The rest is the run's alone meanwhile, so that it is not copied.
        progress.rest = .nothing
        try run.perform(in: database, body)
    }

    /// How many documents a query finds, which takes no document where an index suffices.
    func count(_ plan: QueryPlan, at time: Timestamp?) throws -> QuerySummary {
        let past = try time.map { try FormerDocuments(in: plan, at: $0, snapshot: self) }
        guard plan.access.isInOrder, past?.isEmpty ?? true, plan.limit != 0, let database = try row(of: plan.database),
            let branches = try sources(for: plan, in: database)
        else { return try run(plan, at: time) { _ in true } }
        var counting = QueryCounting(plan: plan)
        return try counting.perform(branches, readTime: time ?? readTime)
    }

    /// Where to find the entries of each branch; `nil` when an index is missing.
    func sources(for plan: QueryPlan, in database: Int64) throws -> [EntrySource]? {
        var sources: [EntrySource] = []
        if case .everything(_, isDeep: false) = plan.scope { return nil }
        for branch in plan.access.branches {
            if case .collection(let path) = plan.scope, branch.shape.isOrderOfDocuments {
                let place = try row(of: path, in: plan.database).map { CollectionWalk.Place(row: $0, path: path) }
                sources.append(EntrySource(snapshot: self, branch: branch, origin: .documents(place)))
            } else {
                guard let index = catalog.id(of: branch.shape, in: database) else { return nil }
                caches.noteUse(of: index)
                sources.append(EntrySource(snapshot: self, branch: branch, origin: .index(index)))
            }
        }
        return sources
    }

    /// The indexes that a query lacks and that would spare it looking through many documents.
    func missingIndexes(for plan: QueryPlan) throws -> Set<IndexShape> {
        guard let database = try row(of: plan.database) else { return [] }
        let missing = shapesMissing(for: plan, in: database)
        guard !missing.isEmpty else { return [] }
        let walk = CollectionWalk(db: db, database: database)
        let limit = caches.limits.scanCountMax
        let count = try walk.documentCount(of: try walk.collections(of: plan.scope), upTo: limit + 1)
        return count > limit ? missing : []
    }

    func shapesMissing(for plan: QueryPlan, in database: Int64) -> Set<IndexShape> {
        if case .everything(_, isDeep: false) = plan.scope { return [] }
        return Set(plan.access.branches.map(\.shape))
            .filter { !$0.isOrderOfDocuments && catalog.id(of: $0, in: database) == nil }
    }
}
