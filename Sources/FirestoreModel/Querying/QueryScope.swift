// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The documents a query is about, before any filter.
package enum QueryScope: Sendable {
    case collection(CollectionPath)
    case group(String, under: DocumentPath?)
    /// All collections right under the parent, or also those further down.
    case everything(under: DocumentPath?, isDeep: Bool)

    package init(_ query: Query) throws {
        guard let id = query.source.collectionID else {
            self = .everything(under: query.parent, isDeep: query.source.allDescendants)
            return
        }
        try ResourceID.validate(id, as: .collection)
        guard query.source.allDescendants else {
            self = .collection(try CollectionPath((query.parent?.segments ?? []) + [id]))
            return
        }
        self = .group(id, under: query.parent)
    }

    /// Whether a document that an index of this scope led to is within it.
    package func contains(_ path: DocumentPath) -> Bool {
        switch self {
        case .collection: true
        case .group(_, let parent), .everything(let parent, isDeep: true): path.isBelow(parent)
        case .everything(let parent, isDeep: false):
            path.isBelow(parent) && path.segments.count == (parent?.segments.count ?? 0) + 2
        }
    }

    /// The prefix that a reference's key loses to become a name in this scope's indexes.
    package func namePrefix(in database: DatabaseID) -> OrderedKey {
        var encoder = KeyEncoder()
        encoder.append(byte: ValueTag.reference.rawValue)
        encoder.append(database)
        if case .collection(let path) = self {
            encoder.appendSegments(of: path)
        }
        return encoder.key
    }

    /// The names that can be in this scope.
    package var names: KeyInterval {
        switch self {
        case .collection, .group(_, under: nil), .everything(under: nil, _): KeyInterval()
        case .group(_, let parent), .everything(let parent, _):
            // Not the parent itself, whose key ends where those below it continue with a collection.
            KeyInterval(prefix: OrderedKey(segmentsOf: parent) + OrderedKey([PathTag.string]))
        }
    }
}

extension KeyInterval {
    /// The part of an interval of reference keys that lies under a prefix, with the prefix taken off.
    package func droppingPrefix(_ prefix: OrderedKey) -> KeyInterval {
        let under = intersection(KeyInterval(prefix: prefix))
        guard !under.isEmpty else { return KeyInterval(.upperLimit, .upperLimit) }
        let isOpen = under.upper == prefix.successor
        return KeyInterval(
            OrderedKey(Array(under.lower.bytes.dropFirst(prefix.bytes.count))),
            isOpen ? .upperLimit : OrderedKey(Array(under.upper.bytes.dropFirst(prefix.bytes.count)))
        )
    }
}

extension DocumentPath {
    fileprivate func isBelow(_ ancestor: DocumentPath?) -> Bool {
        guard let ancestor else { return true }
        return segments.count > ancestor.segments.count
            && segments.prefix(ancestor.segments.count).hasSameBytes(as: ancestor.segments)
    }
}

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
