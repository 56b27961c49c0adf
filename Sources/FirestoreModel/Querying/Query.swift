// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A structured query.
package struct Query: Sendable, Equatable {
    /// Which collections to look in.
    package struct Source: Sendable, Equatable {
        /// `nil` for collections of any id.
        package var collectionID: String?
        /// Also collections further down than right under the parent.
        package var allDescendants: Bool

        package init(collectionID: String?, allDescendants: Bool = false) {
            self.collectionID = collectionID
            self.allDescendants = allDescendants
        }
    }

    /// Which way an order runs.
    package enum Direction: Sendable, Equatable {
        case ascending
        case descending
    }

    /// One criterion to sort by; documents without the field are left out.
    package struct Ordering: Sendable, Equatable {
        package var fieldPath: FieldPath
        package var direction: Direction

        package init(_ fieldPath: FieldPath, _ direction: Direction = .ascending) {
            self.fieldPath = fieldPath
            self.direction = direction
        }
    }

    /// A position in the result order, given by the values of its first criteria.
    package struct Cursor: Sendable, Equatable {
        /// May be fewer than the criteria: then the position is around all documents with this prefix.
        package var values: [Value]
        /// Whether the position is just before the documents with these values, or just after.
        package var before: Bool

        package init(values: [Value], before: Bool) {
            self.values = values
            self.before = before
        }
    }

    /// `nil` for the root.
    package var parent: DocumentPath?
    package var source: Source
    package var filter: Filter?
    package var orderBy: [Ordering]
    package var startAt: Cursor?
    package var endAt: Cursor?
    /// `nil` for none; 0 gives no documents.
    package var limit: Int?
    package var offset: Int
    /// Fields that order the result after all others, before the name, and that every document must have.
    package var furtherOrders: [FieldPath] = []
    /// `nil` for whole documents.
    package var projection: DocumentMask?

    package init(
        parent: DocumentPath? = nil,
        source: Source,
        filter: Filter? = nil,
        orderBy: [Ordering] = [],
        startAt: Cursor? = nil,
        endAt: Cursor? = nil,
        limit: Int? = nil,
        offset: Int = 0,
        projection: DocumentMask? = nil
    ) {
        self.parent = parent
        self.source = source
        self.filter = filter
        self.orderBy = orderBy
        self.startAt = startAt
        self.endAt = endAt
        self.limit = limit
        self.offset = offset
        self.projection = projection
    }
}

extension Query {
    /// The explicit orders, then the fields of inequalities and those of sums and averages, each by path, then the name
    /// in the last direction.
    ///
    /// Source: answers of the official emulator 1.19.9, recorded in 2026-11.
    package var effectiveOrders: [Ordering] {
        let direction = orderBy.last?.direction ?? .ascending
        var orders = orderBy
        for path in Set(filter?.inequalityPaths ?? []).sorted() + Set(furtherOrders).sorted() where !path.isDocumentID {
            if !orders.contains(where: { $0.fieldPath == path }) {
                orders.append(Ordering(path, direction))
            }
        }
        if !orders.contains(where: \.fieldPath.isDocumentID) {
            orders.append(Ordering(.documentID, direction))
        }
        return orders
    }
}

extension Filter {
    /// The fields of inequalities, as often as they occur.
    package var inequalityPaths: [FieldPath] {
        switch self {
        case .and(let filters), .or(let filters): filters.flatMap(\.inequalityPaths)
        case .field(let path, let operation, let operand): operation.isInequality(with: operand) ? [path] : []
        case .unary(let path, let operation): operation.isNegation ? [path] : []
        }
    }
}
