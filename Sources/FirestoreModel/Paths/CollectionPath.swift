// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A collection's path within its database: `rooms/a/messages`.
package struct CollectionPath: Sendable, CustomStringConvertible {
    /// Collection and document ids in turn, an odd number.
    package let segments: [String]

    /// - Throws: `FirestoreError` (invalid argument) for an even number of segments or an invalid id.
    package init(_ segments: [String]) throws {
        guard !segments.count.isMultiple(of: 2) else { throw FirestoreError.notACollectionPath(segments) }
        try segments.validateIDs()
        self.segments = segments
    }

    /// Parses `collection[/document/collection…]`.
    package init(parsing path: String) throws {
        try self.init(path.segments.map(String.init))
    }

    /// For segments that were validated before, such as those read back from the store.
    package init(validated segments: [String]) {
        precondition(!segments.count.isMultiple(of: 2), "a collection path ends in a collection")
        self.segments = segments
    }

    /// The last segment, which is also the id of the collection group.
    package var id: String { segments[segments.count - 1] }

    /// The document this collection hangs from; `nil` for a root collection.
    package var parent: DocumentPath? {
        segments.count == 1 ? nil : DocumentPath(validated: Array(segments.dropLast()))
    }

    /// A document in this collection.
    package func document(_ id: String) throws -> DocumentPath {
        try DocumentPath(segments + [id])
    }

    package var description: String { segments.joined(separator: "/") }
}

extension CollectionPath: Hashable {
    package static func == (lhs: CollectionPath, rhs: CollectionPath) -> Bool {
        lhs.segments.hasSameBytes(as: rhs.segments)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(segments)
    }
}
