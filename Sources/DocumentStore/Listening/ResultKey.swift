// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Decides which listeners can share a live result.
struct ResultKey: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case query(SharedQuery)
        case documents([DocumentPath])
    }

    let database: DatabaseID
    let content: Content
}

/// A query as a dictionary's key.
struct SharedQuery: Hashable, Sendable {
    let query: Query

    func hash(into hasher: inout Hasher) {
        hasher.combine(query.parent)
        hasher.combine(query.source.collectionID)
        hasher.combine(query.limit)
        hasher.combine(query.offset)
        for order in query.orderBy {
            hasher.combine(order.fieldPath)
        }
        query.filter?.hash(into: &hasher)
        for value in (query.startAt?.values ?? []) + (query.endAt?.values ?? []) {
            hasher.combine(OrderedKey(value))
        }
    }
}

extension Filter {
    fileprivate func hash(into hasher: inout Hasher) {
        switch self {
        case .and(let filters), .or(let filters):
            hasher.combine(filters.count)
            for filter in filters {
                filter.hash(into: &hasher)
            }
        case .field(let path, let operation, let value):
            hasher.combine(path)
            hasher.combine(operation)
            // Equal values have equal keys; some others do too, which == distinguishes.
            hasher.combine(OrderedKey(value))
        case .unary(let path, let operation):
            hasher.combine(path)
            hasher.combine(operation)
        }
    }
}

/// Where in a database a document is: a live result is found by the one it is about, a change by all of its own.
enum ResultPlace: Hashable, Sendable {
    case collection(CollectionPath)
    case group(String)
    case anywhere
    case document(DocumentPath)

    static func places(of subject: ResultSubject) -> [ResultPlace] {
        switch subject {
        case .documents(let paths): paths.map { .document($0) }
        case .query(let query):
            switch query.plan.scope {
            case .collection(let path): [.collection(path)]
            case .group(let id, _): [.group(id)]
            case .everything: [.anywhere]
            }
        }
    }

    static func places(of path: DocumentPath) -> [ResultPlace] {
        let collection = path.collection
        return [.collection(collection), .group(collection.id), .document(path), .anywhere]
    }
}

/// The subject of a live result, ready to be evaluated.
enum ResultSubject: Sendable {
    case query(ResultQuery)
    /// Distinct.
    case documents([DocumentPath])

    /// Fields to leave in; `nil` for all.
    var mask: DocumentMask? {
        guard case .query(let query) = self else { return nil }
        return query.plan.mask
    }
}

/// A valid query that is listened to.
struct ResultQuery: Sendable {
    let query: Query
    let plan: QueryPlan

    /// - Throws: `FirestoreError` (invalid argument) for a query Firestore refuses.
    init(_ query: Query, in database: DatabaseID) throws {
        self.query = query
        self.plan = try QueryPlan(query, in: database)
    }

    /// Whether a document can be in the result or not depending on others.
    var isLimited: Bool { plan.limit != nil || plan.offset > 0 }

    /// A document's place among those the query is about; `nil` when it is none of them.
    ///
    /// - Throws: `FirestoreError` (data loss) for a document that is damaged in the file.
    func key(of document: Document?) throws -> OrderedKey? {
        guard let document else { return nil }
        let reference = DocumentReference(database: plan.database, path: document.path)
        let candidate = Candidate(reference: reference, document: document)
        return try plan.accepts(candidate) ? candidate.sortKey(in: plan.orders) : nil
    }

    /// Whether a former version was among those the query is about; one that is damaged in the file may have been.
    private func mayHaveHad(_ former: Document?) -> Bool {
        do { return try key(of: former) != nil } catch { return true }
    }

    /// The effect of a change when the query has no limit and no offset.
    func evaluate(_ change: DocumentChange) throws -> ResultChange? {
        let wasIn = mayHaveHad(change.before)
        let isIn = try key(of: change.after) != nil
        guard wasIn || isIn else { return nil }
        return ResultChange(
            path: change.path,
            document: try change.after?.selecting(plan.mask),
            wasIn: wasIn,
            isIn: isIn
        )
    }

    /// The query's documents in their order, whole, from a position on, and up to a limit.
    func part(after cursor: Query.Cursor? = nil, count: Int?) throws -> QueryPlan {
        var part = query
        if let cursor {
            // A position is among all orders, implicit ones too.
            part.orderBy = plan.orders
            part.startAt = cursor
        }
        part.limit = count
        part.offset = 0
        part.projection = nil
        return try QueryPlan(part, in: plan.database)
    }

    /// The position after a document.
    func cursor(after document: Document) throws -> Query.Cursor {
        let reference = DocumentReference(database: plan.database, path: document.path)
        let candidate = Candidate(reference: reference, document: document)
        return Query.Cursor(
            values: try plan.orders.map { try candidate.value(at: $0.fieldPath) ?? .null },
            before: false
        )
    }
}

extension DocumentChange {
    /// The effect of the change on a live result of documents by name, this one among them.
    var asNamed: ResultChange {
        ResultChange(path: path, document: after, wasIn: before != nil, isIn: after != nil)
    }
}
