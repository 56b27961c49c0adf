// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// One run of a query in a snapshot: from its beginning, or from where a run in another snapshot stopped.
struct QueryExecution {
    let plan: QueryPlan
    let snapshot: StoreSnapshot
    /// The moment as of which documents are given out.
    let time: Timestamp
    /// The differences at that time; `nil` when it is the snapshot's own.
    let past: FormerDocuments?
    var progress: QueryProgress

    /// Gives out documents until the body wants no more, which the progress notes.
    mutating func perform(in database: Int64, _ body: (Document) throws -> Bool) throws {
        switch progress.rest {
        case .nothing:
            return
        case .sorted(let rows):
            try deliver(rows, body)
        case .merged(let runs):
            guard let sources = try snapshot.sources(for: plan, in: database) else {
                return try scan(database, behind: runs.lastKey, body)
            }
            try merge(sources, runs: runs, body)
        case .entries(let place):
            guard let sources = try snapshot.sources(for: plan, in: database) else {
                // The index has been dropped since.
                return try scan(database, behind: place.lastKey, body)
            }
            try stream(sources, from: place, body)
        case .everything:
            guard let sources = try snapshot.sources(for: plan, in: database) else {
                return try scan(database, behind: nil, body)
            }
            if plan.access.isInOrder {
                try stream(sources, from: nil, body)
            } else if plan.limit == nil {
                try merge(sources, runs: MergedRuns(plan.access), body)
            } else {
                try sort(sources, body)
            }
        }
    }

    /// Reads entries in the query's order, up to the limit.
    private mutating func stream(
        _ sources: [EntrySource],
        from place: EntryPlace?,
        _ body: (Document) throws -> Bool
    ) throws {
        var former = past?.members(behind: place?.lastKey) ?? []
        var intervalCount = 0
        for source in sources {
            for (number, interval) in source.branch.runs.joined().enumerated() {
                intervalCount = number + 1
                guard
                    let rest = place.map({ $0.rest(of: interval, number: number, direction: source.branch.direction) })
                        ?? interval
                else { continue }
                guard try stream(source, interval: rest, number: number, former: &former, body) else { return }
            }
        }
        if let lastKey = try deliver(&former, before: nil, body) {
            stop(at: EntryPlace(interval: intervalCount, key: nil, isTaken: false, lastKey: lastKey))
        } else {
            progress.rest = .nothing
        }
    }

    /// Reads the entries of one interval; returns whether it went to the end.
    private mutating func stream(
        _ source: EntrySource,
        interval: KeyInterval,
        number: Int,
        former: inout ArraySlice<FormerDocuments.Member>,
        _ body: (Document) throws -> Bool
    ) throws -> Bool {
        var entries = 0
        defer { progress.entriesRead += entries }
        var place: EntryPlace?
        let wentToEnd = try source.visit(interval, entriesRead: &entries) { found in
            if past?.replacedRows.contains(found.row) ?? false { return true }
            if former.isEmpty, source.branch.isComplete, progress.delivery.skips() { return true }
            guard let candidate = try candidate(found, branch: source.branch) else { return true }
            // An optional candidate would be a copy.
            if !former.isEmpty, let lastKey = try deliver(&former, before: candidate, body) {
                place = EntryPlace(interval: number, key: found.key, isTaken: false, lastKey: lastKey)
                return false
            }
            if try progress.delivery.deliver(candidate.document, body) { return true }
            guard !progress.delivery.isComplete else { return false }
            guard let lastKey = try candidate.sortKey(in: plan.orders) else { return false }
            place = EntryPlace(interval: number, key: found.key, isTaken: true, lastKey: lastKey)
            return false
        }
        if wentToEnd { return true }
        if place?.isTaken == false {
            // It is read again.
            entries -= 1
            progress.documentsRead -= 1
        }
        stop(at: place)
        return false
    }

    private mutating func stop(at place: EntryPlace?) {
        progress.rest = place.map { progress.delivery.isComplete ? .nothing : .entries($0) } ?? .nothing
    }

    /// The document of an entry, if it is one of those wanted.
    mutating func candidate(_ found: FoundDocument, branch: AccessPath.Branch) throws -> Candidate? {
        progress.documentsRead += 1
        let candidate = Candidate(try found.load(), in: plan.database)
        guard try branch.isComplete || plan.accepts(candidate) else { return nil }
        return candidate
    }

    /// Delivers the documents that were at the time but are deleted, up to the place of one that still is; returns the
    /// place of the last one when no more are wanted.
    private mutating func deliver(
        _ former: inout ArraySlice<FormerDocuments.Member>,
        before candidate: Candidate?,
        _ body: (Document) throws -> Bool
    ) throws -> OrderedKey? {
        guard !former.isEmpty else { return nil }
        let key = try candidate?.sortKey(in: plan.orders)
        while let first = former.first, key.map({ first.key < $0 }) ?? true {
            former.removeFirst()
            guard try progress.delivery.deliver(document(at: first.path), body) else { return first.key }
        }
        return nil
    }

    func document(at path: DocumentPath) throws -> Document {
        guard let document = try snapshot.keptDocument(at: path, in: plan.database, asOf: time) else {
            throw FirestoreError.corrupted("a document without its former version")
        }
        return document
    }
}

// MARK: Sorted results

extension QueryExecution {
    /// Reads of each run as many as the limit lets through, and puts all in order.
    private mutating func sort(_ sources: [EntrySource], _ body: (Document) throws -> Bool) throws {
        var first = FirstCandidates(plan)
        for source in sources {
            for run in source.branch.runs {
                try add(run, of: source, to: &first)
            }
        }
        try finish(&first, behind: nil, body)
    }

    private mutating func add(
        _ run: [KeyInterval],
        of source: EntrySource,
        to first: inout FirstCandidates
    ) throws {
        var wantedCount = first.countMax ?? .max
        for interval in run {
            var entries = 0
            defer { progress.entriesRead += entries }
            let wantsMore = try source.visit(interval, entriesRead: &entries) { found in
                if past?.replacedRows.contains(found.row) ?? false || first.has(found.row) { return true }
                guard let candidate = try candidate(found, branch: source.branch) else { return true }
                try first.add(candidate, row: found.row)
                wantedCount -= 1
                return wantedCount > 0
            }
            guard wantsMore else { return }
        }
    }

    /// Looks at every document of the scope.
    private mutating func scan(
        _ database: Int64,
        behind lastKey: OrderedKey?,
        _ body: (Document) throws -> Bool
    ) throws {
        progress.isScan = true
        var first = FirstCandidates(plan)
        let walk = CollectionWalk(db: snapshot.db, database: database)
        try walk.visitDocuments(of: try walk.collections(of: plan.scope)) { row, document in
            progress.documentsRead += 1
            let candidate = Candidate(document, in: plan.database)
            let isWanted = try !(past?.replacedRows.contains(row) ?? false) && plan.accepts(candidate)
            if isWanted, try lastKey.map({ try isBehind($0, candidate) }) ?? true { try first.add(candidate, row: row) }
            return true
        }
        if progress.documentsRead > snapshot.caches.limits.scanCountMax {
            snapshot.caches.requestIndexes(for: snapshot.shapesMissing(for: plan, in: database), in: plan.database)
        }
        try finish(&first, behind: lastKey, body)
    }

    private func isBehind(_ key: OrderedKey, _ candidate: Candidate) throws -> Bool {
        try candidate.sortKey(in: plan.orders).map { $0 > key } ?? false
    }

    private mutating func finish(
        _ candidates: inout FirstCandidates,
        behind lastKey: OrderedKey?,
        _ body: (Document) throws -> Bool
    ) throws {
        // Rows count from 1, so that these are different from all of today's.
        for (number, member) in (past?.members(behind: lastKey) ?? []).enumerated() {
            candidates.add(member.key, row: Int64(-1 - number), document: nil)
        }
        try deliver(candidates.finish(), body)
    }

    private mutating func deliver(_ sorted: SortedRows, _ body: (Document) throws -> Bool) throws {
        var sorted = sorted
        progress.rest = .nothing
        while !sorted.isEmpty {
            if progress.delivery.skips() {
                sorted.removeFirst()
                continue
            }
            let document = try sorted.document ?? document(inRow: sorted.row, at: sorted.key)
            sorted.removeFirst()
            guard try progress.delivery.deliver(document, body) else {
                guard !progress.delivery.isComplete else { return }
                sorted.forgetDocuments()
                progress.rest = .sorted(sorted)
                return
            }
        }
    }

    /// A document that was found before, as of the time of the query.
    func document(inRow row: Int64, at key: @autoclosure () -> OrderedKey) throws -> Document {
        // A document that has not changed since is where it was.
        if row > 0, let document = try snapshot.document(inRow: row), document.updateTime <= time { return document }
        return try document(at: plan.path(at: key()))
    }
}
