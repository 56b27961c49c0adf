// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Sorts candidates and keeps only as many as the query can return or skip.
///
/// Keeps their keys and rows; their documents only while they are few, as reading them again takes longer.
struct FirstCandidates {
    private let orders: [Query.Ordering]
    /// `nil` to keep all.
    let countMax: Int?
    private var seen: Set<Int64> = []
    private var sorter = EntrySorter()
    /// By row; `nil` once they have become too large.
    private var documents: [Int64: Document]? = [:]
    private var heldByteCount = 0

    init(_ plan: QueryPlan) {
        self.orders = plan.orders
        self.countMax = plan.matchCountMax
    }

    /// Whether a document was added before.
    func has(_ row: Int64) -> Bool { seen.contains(row) }

    /// Adds a candidate that has all fields of the order, unless it was added before.
    mutating func add(_ candidate: Candidate, row: Int64) throws {
        guard seen.insert(row).inserted, let key = try candidate.sortKey(in: orders) else { return }
        add(key, row: row, document: candidate.document)
    }

    /// Adds an entry that was not added before.
    mutating func add(_ key: OrderedKey, row: Int64, document: Document?) {
        sorter.add(key, row: row)
        if let document { hold(document, inRow: row) }
        // Sorting only when twice as many are there costs little and keeps memory to the limit.
        if let countMax, sorter.count / 2 > max(countMax, 64) {
            sortAndDrop()
        }
    }

    private mutating func hold(_ document: Document, inRow row: Int64) {
        guard documents != nil else { return }
        heldByteCount += document.heldByteCount
        if heldByteCount > ResultLimits.sortedByteCountMax {
            documents = nil
        } else {
            documents?[row] = document
        }
    }

    /// Returns the first candidates in order and starts over.
    mutating func finish() -> SortedRows {
        sortAndDrop()
        defer {
            seen = []
            sorter = EntrySorter()
            documents = [:]
            heldByteCount = 0
        }
        return SortedRows(sorter, documents: documents ?? [:])
    }

    private mutating func sortAndDrop() {
        sorter.sort()
        guard let countMax, sorter.count > countMax else { return }
        for index in countMax..<sorter.count {
            guard let dropped = documents?.removeValue(forKey: sorter.row(at: index)) else { continue }
            heldByteCount -= dropped.heldByteCount
        }
        sorter.keepFirst(countMax)
    }
}
