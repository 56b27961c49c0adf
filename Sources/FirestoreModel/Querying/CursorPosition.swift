// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A cursor, placed among the sort keys of a query.
package struct CursorPosition: Sendable {
    /// The keys of the values on their own, all ascending.
    package let components: [OrderedKey]
    package let isBefore: Bool
    /// The least sort key on the far side of the position.
    package let boundary: OrderedKey

    package init(_ cursor: Query.Cursor, orders: [Query.Ordering]) {
        var encoder = KeyEncoder()
        for (value, order) in zip(cursor.values, orders) {
            encoder.append(value, in: order.direction)
        }
        self.components = cursor.values.map { OrderedKey($0) }
        self.isBefore = cursor.before
        self.boundary = cursor.before ? encoder.key : encoder.key.successor
    }
}
