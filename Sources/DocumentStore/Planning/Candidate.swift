// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
