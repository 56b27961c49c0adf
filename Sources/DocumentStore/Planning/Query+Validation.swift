// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Query {
    /// Refuses what Firestore refuses; each rule with its text is measured on the official emulator 1.19.9.
    func validate() throws {
        // First, for the other rules take time that grows with the square of the size.
        let termCount = (filter?.conditionCount ?? 0) + orderBy.count
        guard termCount <= QueryLimits.termMax else { throw DocumentStoreError.tooManyTerms(termCount) }
        try filter?.validate()
        try validateOrders()
        for path in projection?.fieldPaths ?? [] {
            try path.refuseReservedName()
        }
        try startAt?.validate(orders: orderBy)
        try endAt?.validate(orders: orderBy)
        guard limit ?? 0 >= 0 else { throw DocumentStoreError.negativeLimit }
        guard offset >= 0 else { throw DocumentStoreError.negativeOffset }
        if source.collectionID == nil {
            try validateWithoutCollection()
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

    /// Across collections only names are indexed.
    private func validateWithoutCollection() throws {
        if let path = filter?.firstPath(where: { !$0.isDocumentID }) {
            throw DocumentStoreError.filterNeedsCollection(path)
        }
        guard orderBy.allSatisfy({ $0 == Ordering(.documentID) }) else {
            throw DocumentStoreError.orderNeedsCollection
        }
    }
}

extension Query.Cursor {
    fileprivate func validate(orders: [Query.Ordering]) throws {
        guard values.count <= orders.count else { throw DocumentStoreError.tooManyCursorValues }
        for (value, order) in zip(values, orders) where order.fieldPath.isDocumentID {
            guard value.tag == .reference else { throw DocumentStoreError.cursorNameIsNoReference }
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
