// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A valid query and how to answer it.
///
///     Query ─▶ validation ─▶ orders, predicate, cursors ─▶ access path
///                                                              │ index entries, or all documents of the scope
///     documents ◀─ offset, limit, mask ◀─ sort, if need be ◀─ check what the index does not decide
struct QueryPlan: Sendable {
    let database: DatabaseID
    let scope: QueryScope
    let predicate: Predicate
    /// Explicit and implicit, `__name__` among them: no two documents are equal in it.
    let orders: [Query.Ordering]
    let start: CursorPosition?
    let end: CursorPosition?
    let offset: Int
    let limit: Int?
    let mask: DocumentMask?
    let access: AccessPath
    /// The fields with ranges or other inequalities.
    let rangeFieldCount: Int

    /// - Throws: `FirestoreError` (invalid argument) for a query Firestore refuses.
    init(_ query: Query, in database: DatabaseID) throws {
        try query.validate(in: database)
        self.database = database
        self.scope = try QueryScope(query)
        self.predicate = query.filter.map { Predicate($0) } ?? .all([])
        self.orders = query.effectiveOrders
        self.start = query.startAt.map { CursorPosition($0, orders: query.effectiveOrders) }
        self.end = query.endAt.map { CursorPosition($0, orders: query.effectiveOrders) }
        self.offset = query.offset
        self.limit = query.limit
        self.mask = query.projection
        self.rangeFieldCount = query.filter.map { Set($0.inequalityPaths).count } ?? 0
        self.access = AccessPlanner(
            scope: scope,
            namePrefix: scope.namePrefix(in: database),
            orders: orders,
            start: start,
            end: end
        ).plan(predicate)
    }

    /// How many matching documents the answer can depend on; `nil` for all.
    var matchCountMax: Int? {
        limit.flatMap { limit in
            let (sum, isTooLarge) = limit.addingReportingOverflow(offset)
            return isTooLarge ? nil : sum
        }
    }

    /// Whether a document belongs in the result, were it not for offset and limit.
    ///
    /// - Throws: `FirestoreError` (data loss) for a document that is damaged in the file.
    func accepts(_ candidate: Candidate) throws -> Bool {
        guard scope.contains(candidate.document.path), try predicate.matches(candidate) else { return false }
        guard start == nil, end == nil else {
            return try candidate.sortKey(in: orders).map(isWithinCursors) ?? false
        }
        return try orders.allSatisfy { try candidate.value(at: $0.fieldPath) != nil }
    }

    /// The document at a place in the order.
    func path(at key: OrderedKey) throws -> DocumentPath {
        var splitter = KeySplitter(key.bytes)
        for order in orders {
            let part = try splitter.nextKey(order.direction)
            guard order.fieldPath.isDocumentID else { continue }
            var prefix = KeyEncoder()
            prefix.append(byte: ValueTag.reference.rawValue)
            prefix.append(database)
            let reference = part.inOrder(order.direction)
            return try PathKeyDecoder.decode(Array(reference.bytes.dropFirst(prefix.key.bytes.count)))
        }
        throw FirestoreError.corrupted("a place without a name")
    }

    private func isWithinCursors(_ key: OrderedKey) -> Bool {
        if let start, key < start.boundary { return false }
        if let end, key >= end.boundary { return false }
        return true
    }
}
