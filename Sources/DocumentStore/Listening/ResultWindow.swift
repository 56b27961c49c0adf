// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The first documents of a limited query, and a few of the next, kept up to date by changes.
///
///     │ skipped │ result │ reserve │ ← boundary; what is beyond, is not known here
///
/// Holds every matching document up to the boundary. Too many are dropped at the end; too few call for a refill.
struct ResultWindow: Sendable {
    struct Entry: Sendable {
        let key: OrderedKey
        let document: Document
    }

    private let query: ResultQuery
    private(set) var entries: [Entry]
    /// The memory of the documents, in bytes.
    private(set) var byteCount: Int
    /// The key up to which all are here; `nil` when there are no more.
    private var boundary: OrderedKey?

    /// Takes the first entries in order; fewer than `fetchCount` of them are all there are.
    init(_ query: ResultQuery, entries: [Entry]) {
        self.query = query
        self.entries = entries
        self.byteCount = entries.reduce(0) { $0 + $1.document.heldByteCount }
        let fetchCount = Self.fetchCount(for: query)
        self.boundary = entries.count < fetchCount ? nil : entries.last?.key
    }

    /// How many documents a window begins with; saturates.
    static func fetchCount(for query: ResultQuery) -> Int {
        let count = wantedCount(for: query)
        let (sum, isTooLarge) = count.addingReportingOverflow(min(count, ListenLimits.windowReserveMax))
        return isTooLarge ? .max : sum
    }

    /// Those that are skipped or in the result.
    private static func wantedCount(for query: ResultQuery) -> Int {
        guard let limit = query.plan.limit else { return .max }
        let (sum, isTooLarge) = query.plan.offset.addingReportingOverflow(limit)
        return isTooLarge ? .max : sum
    }

    /// Whether documents beyond the boundary may belong in the result.
    var needsRefill: Bool {
        boundary != nil && entries.count < Self.wantedCount(for: query)
    }

    /// The client's documents.
    var result: ArraySlice<Entry> {
        let rest = entries.dropFirst(query.plan.offset)
        return query.plan.limit.map { rest.prefix($0) } ?? rest
    }

    /// Applies a commit's changes; returns whether any of them was in the window or is now.
    mutating func apply(_ changes: [DocumentChange]) throws -> Bool {
        var isTouched = false
        for change in changes {
            // A former version that is damaged in the file never was in a window.
            let removed = (try? query.key(of: change.before)).map { remove($0) } ?? false
            let inserted = try query.key(of: change.after).map { insert($0, document: change.after) } ?? false
            isTouched = isTouched || removed || inserted
        }
        dropExcess()
        return isTouched
    }

    private mutating func remove(_ key: OrderedKey) -> Bool {
        let index = position(of: key)
        guard index < entries.count, entries[index].key == key else { return false }
        byteCount -= entries.remove(at: index).document.heldByteCount
        return true
    }

    private mutating func insert(_ key: OrderedKey, document: Document?) -> Bool {
        if let boundary, key > boundary { return false }
        guard let document else { return false }
        entries.insert(Entry(key: key, document: document), at: position(of: key))
        byteCount += document.heldByteCount
        return true
    }

    /// The first index whose key is not below.
    private func position(of key: OrderedKey) -> Int {
        var range = 0..<entries.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = entries[middle].key < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    private mutating func dropExcess() {
        let (countMax, isTooLarge) = Self.fetchCount(for: query).multipliedReportingOverflow(by: 2)
        guard !isTooLarge, entries.count > countMax else { return }
        byteCount -= entries[(countMax / 2)...].reduce(0) { $0 + $1.document.heldByteCount }
        entries.removeSubrange((countMax / 2)...)
        boundary = entries.last?.key
    }
}

extension ResultWindow {
    /// The changes from the result as of one time to a later one.
    ///
    /// `documentNow` is asked for documents that left: how they are now, `nil` when deleted.
    static func changes(
        from old: ArraySlice<Entry>,
        to new: ArraySlice<Entry>,
        since time: Timestamp,
        mask: DocumentMask?,
        documentNow: (Entry) throws -> Document?
    ) throws -> [ResultChange] {
        var left: [DocumentPath: Entry] = [:]
        for entry in old {
            left[entry.document.path] = entry
        }
        var changes: [ResultChange] = []
        for entry in new {
            let path = entry.document.path
            let former = left.removeValue(forKey: path)
            guard former?.document.updateTime != entry.document.updateTime else { continue }
            changes.append(
                ResultChange(
                    path: path,
                    document: try entry.document.selecting(mask),
                    wasIn: former != nil,
                    isIn: true,
                    hasChanged: entry.document.updateTime > time
                )
            )
        }
        // In order, so that the same history always gives the same messages.
        for entry in old where left[entry.document.path] != nil {
            let document = try documentNow(entry)
            changes.append(
                ResultChange(
                    path: entry.document.path,
                    document: try document?.selecting(mask),
                    wasIn: true,
                    isIn: false,
                    hasChanged: document?.updateTime != entry.document.updateTime
                )
            )
        }
        return changes
    }
}
