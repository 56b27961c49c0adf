// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension BranchPlanner {
    /// Where, after a prefix, the keys between the cursors are.
    var cursorInterval: KeyInterval {
        var interval = KeyInterval()
        if let start = planner.start {
            let edge = edge(at: start)
            narrow(&interval, at: edge.key, keepsAfter: true, keepsPrefix: edge.isBefore)
        }
        if let end = planner.end {
            let edge = edge(at: end)
            narrow(&interval, at: edge.key, keepsAfter: false, keepsPrefix: !edge.isBefore)
        }
        return interval
    }

    /// Drops what is on one side of the keys that begin with a prefix, and perhaps those too.
    private func narrow(_ interval: inout KeyInterval, at prefix: OrderedKey, keepsAfter: Bool, keepsPrefix: Bool) {
        // Later entries in descending order are below.
        let keepsAbove = keepsAfter == (direction == .ascending)
        let edge = keepsAbove == keepsPrefix ? prefix : prefix.successor
        interval = interval.intersection(keepsAbove ? KeyInterval(edge) : KeyInterval(OrderedKey(), edge))
    }

    /// A cursor's place among the keys after a prefix: before or after all that begin with a key.
    private func edge(at cursor: CursorPosition) -> (key: OrderedKey, isBefore: Bool) {
        var key = OrderedKey()
        for (component, order) in zip(cursor.components, planner.orders) {
            if let constant = conditions.constants[order.fieldPath] {
                // Equal in all documents: it decides, or the next component does.
                guard component == constant else {
                    return (key, (component < constant) == (order.direction == .ascending))
                }
            } else if order.fieldPath.isDocumentID {
                guard let name = name(of: component) else {
                    return (key, (component < planner.namePrefix) == (order.direction == .ascending))
                }
                key = key + name
            } else {
                key = key + component.inOrder(order.direction == direction ? .ascending : .descending)
            }
        }
        return (key, cursor.isBefore)
    }

    /// A reference as a name in the scope; `nil` for a document outside of it.
    private func name(of reference: OrderedKey) -> OrderedKey? {
        guard reference.hasPrefix(planner.namePrefix) else { return nil }
        return OrderedKey(Array(reference.bytes.dropFirst(planner.namePrefix.bytes.count)))
    }
}
