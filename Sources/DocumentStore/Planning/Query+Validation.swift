// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Query {
    /// Refuses what Firestore refuses, in production's words (recorded 2026-09).
    ///
    /// Without a database it leaves out the rules about databases.
    func validate(in database: DatabaseID? = nil) throws {
        // First, for the other rules take time that grows with the square of the size.
        try validateSize()
        try filter?.validate(in: database)
        try validateOrders()
        for path in projection?.fieldPaths ?? [] {
            try path.refuseReservedName()
        }
        for cursor in [startAt, endAt].compactMap(\.self) {
            try validate(cursor, in: database)
        }
        guard limit ?? 0 >= 0 else { throw DocumentStoreError.negativeLimit }
        guard offset >= 0 else { throw DocumentStoreError.negativeOffset }
        try validateCollection()
    }

    private func validateSize() throws {
        let filterCount = filter?.conditionCount ?? 0
        let ancestorCount = parent == nil ? 0 : 1
        guard filterCount + orderBy.count + ancestorCount <= QueryLimits.termMax else {
            throw DocumentStoreError.tooManyTerms(
                filters: filterCount,
                orders: orderBy.count,
                hasAncestor: parent != nil
            )
        }
    }

    private func validateOrders() throws {
        var seen: Set<FieldPath> = []
        for order in orderBy {
            try order.fieldPath.refuseReservedName()
            guard !seen.contains(.documentID) else { throw DocumentStoreError.orderAfterName }
            guard seen.insert(order.fieldPath).inserted else {
                throw DocumentStoreError.repeatedOrder(order.fieldPath)
            }
        }
        // Fields of inequalities would follow an explicit name.
        guard effectiveOrders.last?.fieldPath.isDocumentID == true else { throw DocumentStoreError.orderAfterName }
    }

    /// A cursor may also have values for the implied orders; for an implied order by name only a reference is one.
    private func validate(_ cursor: Cursor, in database: DatabaseID?) throws {
        let orders = effectiveOrders
        guard cursor.values.count <= orders.count else { throw DocumentStoreError.tooManyCursorValues }
        let isNameExplicit = orderBy.contains(where: \.fieldPath.isDocumentID)
        for (value, order) in zip(cursor.values, orders) where order.fieldPath.isDocumentID {
            guard case .reference(let reference) = value else {
                throw isNameExplicit ? DocumentStoreError.cursorNameIsNoReference : .tooManyCursorValues
            }
            guard database == nil || reference.database == database else {
                throw DocumentStoreError.cursorInOtherDatabase
            }
        }
    }

    /// Across collections only names are indexed.
    private func validateCollection() throws {
        if let id = source.collectionID {
            guard id.utf8.count <= ResourceID.byteCountMax else { throw DocumentStoreError.collectionIDTooLong }
            return
        }
        if let path = filter?.firstPath(where: { !$0.isDocumentID }) {
            throw DocumentStoreError.filterNeedsCollection(path)
        }
        guard orderBy.allSatisfy({ $0 == Ordering(.documentID) }) else {
            throw DocumentStoreError.orderNeedsCollection
        }
    }
}

extension Filter {
    fileprivate var conditionCount: Int {
        switch self {
        case .and(let filters), .or(let filters): filters.reduce(0) { $0 + $1.conditionCount }
        case .field, .unary: 1
        }
    }

    fileprivate func firstPath(where matches: (FieldPath) -> Bool) -> FieldPath? {
        switch self {
        case .and(let filters), .or(let filters):
            for filter in filters {
                if let path = filter.firstPath(where: matches) { return path }
            }
            return nil
        case .field(let path, _, _), .unary(let path, _):
            return matches(path) ? path : nil
        }
    }
}
