// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Decides which listeners can share a view.
struct ViewKey: Hashable, Sendable {
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

/// Where in a database a document is: a view is found by the one it is about, a change by all of its own.
enum ViewPlace: Hashable, Sendable {
    case collection(CollectionPath)
    case group(String)
    case anywhere
    case document(DocumentPath)

    static func places(of subject: ViewSubject) -> [ViewPlace] {
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

    static func places(of path: DocumentPath) -> [ViewPlace] {
        let collection = path.collection
        return [.collection(collection), .group(collection.id), .document(path), .anywhere]
    }
}
