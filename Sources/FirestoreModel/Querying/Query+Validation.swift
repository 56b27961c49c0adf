// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Query {
    /// Refuses what Firestore refuses, in production's words (recorded 2026-09) and the order in which the official
    /// emulator (1.19.9) reports several faults.
    ///
    /// Without a database it leaves out the rules about databases.
    ///
    /// - Throws: `FirestoreError` (invalid argument).
    package func validate(in database: DatabaseID? = nil) throws {
        try source.validate()
        try filter?.validateParts(in: database)
        for path in (projection?.fieldPaths ?? []) + orderBy.map(\.fieldPath) {
            try path.validate()
        }
        let orders = effectiveOrders
        for cursor in [startAt, endAt].compactMap(\.self) {
            try validate(cursor, among: orders, in: database)
        }
        guard offset >= 0 else { throw FirestoreError.negativeOffset }
        guard limit ?? 0 >= 0 else { throw FirestoreError.negativeLimit }
        try validateSize()
        try validateScope()
        try filter?.validateWhole(in: database, hasCollection: source.collectionID != nil)
        try validateFurtherOrders()
        try filter?.validateDisjunctions()
        try validateOrders()
        // Fields of inequalities would follow an explicit name.
        guard orders.last?.fieldPath.isDocumentID == true else { throw FirestoreError.orderAfterName }
    }

    private func validateSize() throws {
        let filterCount = filter?.leaves.count ?? 0
        let ancestorCount = parent == nil ? 0 : 1
        guard filterCount + orderBy.count + ancestorCount <= QueryLimits.termMax else {
            throw FirestoreError.tooManyTerms(
                filters: filterCount,
                orders: orderBy.count,
                hasAncestor: parent != nil
            )
        }
    }

    private func validateOrders() throws {
        var seen: Set<FieldPath> = []
        for order in orderBy {
            guard !seen.contains(.documentID) else { throw FirestoreError.orderAfterName }
            guard seen.insert(order.fieldPath).inserted else {
                throw FirestoreError.repeatedOrder(order.fieldPath)
            }
        }
    }

    /// A cursor may also have values for the implied orders; for an implied order by name only a reference is one.
    private func validate(_ cursor: Cursor, among orders: [Ordering], in database: DatabaseID?) throws {
        guard cursor.values.count <= orders.count else { throw FirestoreError.tooManyCursorValues }
        for value in cursor.values {
            try value.validateOperand(in: database)
        }
        let isNameExplicit = orderBy.contains(where: \.fieldPath.isDocumentID)
        for (value, order) in zip(cursor.values, orders) where order.fieldPath.isDocumentID {
            guard case .reference(let reference) = value else {
                throw isNameExplicit ? FirestoreError.cursorNameIsNoReference : .tooManyCursorValues
            }
            guard database == nil || reference.database == database else {
                throw FirestoreError.cursorInOtherDatabase
            }
        }
    }

    /// Below a document, collections of one id and documents at any depth are found by their names only; so are
    /// documents across collections.
    private func validateScope() throws {
        let isByNameOnly = orderBy.allSatisfy(\.fieldPath.isDocumentID) && filter?.firstField == nil
        guard parent == nil || !source.allDescendants || isByNameOnly else {
            throw FirestoreError.groupBelowDocument
        }
        guard source.collectionID != nil || orderBy.allSatisfy({ $0 == Ordering(.documentID) }) else {
            throw FirestoreError.orderNeedsCollection
        }
    }

    /// No index has anything after the name, not even the fields that are summed or averaged.
    private func validateFurtherOrders() throws {
        let isNameFirst =
            orderBy.contains(where: \.fieldPath.isDocumentID) || filter?.leaves.contains(where: \.isOnName) ?? false
        let isGroupBelowDocument = parent != nil && source.allDescendants
        guard isNameFirst || isGroupBelowDocument else { return }
        let earlier = Set(orderBy.map(\.fieldPath) + (filter?.inequalityPaths ?? []))
        let later = Set(furtherOrders).subtracting(earlier)
        guard later.isEmpty else { throw FirestoreError.fieldsAfterName(later) }
    }
}

extension Query.Source {
    fileprivate func validate() throws {
        guard let id = collectionID else { return }
        guard id.utf8.count <= ResourceID.byteCountMax else { throw FirestoreError.collectionIDTooLong }
        try ResourceID.validate(id, as: .collection)
    }
}
