// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A cursor, placed among the sort keys of a query.
struct CursorPosition: Sendable {
    /// The keys of the values on their own, all ascending.
    let components: [OrderedKey]
    let isBefore: Bool
    /// The least sort key on the far side of the position.
    let boundary: OrderedKey

    init(_ cursor: Query.Cursor, orders: [Query.Ordering]) {
        var encoder = KeyEncoder()
        for (value, order) in zip(cursor.values, orders) {
            encoder.append(value, order.direction)
        }
        self.components = cursor.values.map { OrderedKey($0) }
        self.isBefore = cursor.before
        self.boundary = cursor.before ? encoder.key : encoder.key.successor
    }
}

/// A document that may be in a query's result.
struct Candidate {
    let row: Int64
    let reference: DocumentReference
    let document: Document

    func value(at path: FieldPath) throws -> Value? {
        path.isDocumentID ? .reference(reference) : try document.value(at: path)
    }

    /// The document's place in an order; `nil` when it lacks a field of it.
    func sortKey(in orders: [Query.Ordering]) throws -> OrderedKey? {
        var encoder = KeyEncoder()
        for order in orders {
            guard let value = try value(at: order.fieldPath) else { return nil }
            encoder.append(value, order.direction)
        }
        return encoder.key
    }
}
