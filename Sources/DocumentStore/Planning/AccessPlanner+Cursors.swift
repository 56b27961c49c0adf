// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension AccessPlanner {
    /// Leaves out entries on the wrong side of the cursors, as far as the index tells.
    func narrow(_ access: inout AccessPath, _ condition: FieldCondition) {
        if let start, let bound = bound(at: start, access, condition) {
            let isInside = start.isBefore || !bound.isExact
            access.narrow(bound.prefix, isStart: true, includesPrefix: isInside)
        }
        if let end, let bound = bound(at: end, access, condition) {
            let isInside = !end.isBefore || !bound.isExact
            access.narrow(bound.prefix, isStart: false, includesPrefix: isInside)
        }
    }

    /// The entries with a cursor's values; inexact when others may be among them.
    ///
    /// `nil` when the index cannot tell.
    private func bound(
        at cursor: CursorPosition,
        _ access: AccessPath,
        _ condition: FieldCondition
    ) -> (prefix: OrderedKey, isExact: Bool)? {
        guard let first = cursor.components.first else { return nil }
        guard !orders[0].fieldPath.isDocumentID else {
            return name(of: first).flatMap { nameBound($0, condition) }
        }
        guard first.bytes.count <= IndexKey.valueByteCountMax else { return (IndexKey.truncate(first), false) }
        guard cursor.components.count > 1 else { return (first, true) }
        guard access.order == .exact, let name = name(of: cursor.components[1]) else { return (first, false) }
        return (first + name, true)
    }

    /// The entry of a document's name: in the index of names, or among those of a single value.
    private func nameBound(_ name: OrderedKey, _ condition: FieldCondition) -> (OrderedKey, Bool)? {
        guard !condition.path.isDocumentID else { return (name, true) }
        guard let point = condition.intervals.first else { return nil }
        return (IndexKey.truncate(point.lower) + name, true)
    }

    /// A reference as a name in the scope; `nil` for a document outside of it.
    private func name(of reference: OrderedKey) -> OrderedKey? {
        guard reference.hasPrefix(namePrefix) else { return nil }
        return OrderedKey(Array(reference.bytes.dropFirst(namePrefix.bytes.count)))
    }
}

extension AccessPath {
    /// Drops the entries before the start or after the end.
    fileprivate mutating func narrow(_ prefix: OrderedKey, isStart: Bool, includesPrefix: Bool) {
        // What comes first in descending order is above.
        let isLower = isStart == (direction == .ascending)
        let position = isLower == includesPrefix ? prefix : prefix.successor
        let kept = isLower ? KeyInterval(position) : KeyInterval(OrderedKey(), position)
        for index in ranges.indices {
            ranges[index].interval = ranges[index].interval.intersection(kept)
        }
        ranges.removeAll { $0.interval.isEmpty }
    }
}
