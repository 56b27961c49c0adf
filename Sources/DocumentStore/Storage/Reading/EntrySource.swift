// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The entries of one branch of a query, in an index or the collection itself.
struct EntrySource {
    enum Origin {
        case index(Int64)
        /// By name; `nil` for a collection that never had any.
        case documents(CollectionWalk.Place?)
    }

    let snapshot: StoreSnapshot
    let branch: AccessPath.Branch
    let origin: Origin

    /// Hands out the documents of entries in an interval until the visitor has enough; returns whether it went to the
    /// end.
    func visit(
        _ interval: KeyInterval,
        entriesRead: inout Int,
        _ visitor: (FoundDocument) throws -> Bool
    ) throws -> Bool {
        switch origin {
        case .documents(nil):
            return true
        case .documents(let place?):
            return try snapshot.db.visitDocuments(of: place, in: interval, direction: branch.direction) { columns in
                entriesRead += 1
                return try visitor(.stored(columns))
            }
        case .index(let index):
            return try visit(index, interval: interval, entriesRead: &entriesRead, visitor)
        }
    }

    private func visit(
        _ index: Int64,
        interval: KeyInterval,
        entriesRead: inout Int,
        _ visitor: (FoundDocument) throws -> Bool
    ) throws -> Bool {
        try snapshot.db.with(branch.direction == .ascending ? .entriesAscending : .entriesDescending) { rows in
            rows.bind(index, at: 1)
            rows.bind(interval.lower.bytes, at: 2)
            rows.bind(interval.upper.bytes, at: 3)
            while try rows.step() {
                entriesRead += 1
                guard try branch.checks.isEmpty || passesChecks(rows.bytes(at: 0)) else { continue }
                guard try visitor(.indexed(rows, snapshot)) else { return false }
            }
            return true
        }
    }

    private func passesChecks(_ key: [UInt8]) throws -> Bool {
        var splitter = KeySplitter(key)
        var keys = try branch.shape.parts.map { try splitter.nextKey($0.direction) }
        keys.append(splitter.rest)
        return branch.checks.allSatisfy { $0.intervals.contains(keys[$0.part]) }
    }

    /// Counts entries, no further than a limit; only for branches without checks.
    func count(_ interval: KeyInterval, upTo limit: Int) throws -> Int {
        switch origin {
        case .documents(nil): return 0
        case .documents(let place?): return try snapshot.db.countDocuments(of: place.row, in: interval, upTo: limit)
        case .index(let index):
            return try snapshot.db.first(.countEntries) { statement in
                statement.bind(index, at: 1)
                statement.bind(interval.lower.bytes, at: 2)
                statement.bind(interval.upper.bytes, at: 3)
                statement.bind(Int64(limit), at: 4)
            } _: {
                Int($0.integer(at: 0))
            } ?? 0
        }
    }
}

extension StoreSnapshot {
    /// The document that a row holds now, if there is one.
    func document(inRow row: Int64) throws -> Document? {
        try db.first(.documentByID) {
            $0.bind(row, at: 1)
        } _: { columns in
            let place = try place(of: columns.integer(at: 0))
            return columns.document(at: try columns.path(in: place.path, column: 1), column: 2)
        }
    }
}
