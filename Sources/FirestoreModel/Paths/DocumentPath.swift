// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A document's path within its database: `rooms/a/messages/1`.
package struct DocumentPath: Sendable, CustomStringConvertible {
    /// Collection and document ids in turn, an even number.
    package let segments: [String]

    /// - Throws: `FirestoreError` (invalid argument) for an odd number of segments or an invalid id.
    package init(_ segments: [String]) throws {
        guard !segments.isEmpty, segments.count.isMultiple(of: 2) else {
            throw FirestoreError.notADocumentPath(segments)
        }
        try segments.validateIDs()
        self.segments = segments
    }

    /// Parses `collection/document[/collection/document…]`.
    package init(parsing path: String) throws {
        try self.init(path.segments.map(String.init))
    }

    /// For segments that were validated before, such as those read back from the store.
    package init(validated segments: [String]) {
        precondition(!segments.isEmpty && segments.count.isMultiple(of: 2), "a document path has pairs of segments")
        self.segments = segments
    }

    /// The last segment.
    package var id: String { segments[segments.count - 1] }

    /// The collection this document is in.
    package var collection: CollectionPath { CollectionPath(validated: Array(segments.dropLast())) }

    /// Whether the document is in a collection itself.
    package func isIn(_ collection: CollectionPath) -> Bool {
        segments.count == collection.segments.count + 1 && segments.dropLast().hasSameBytes(as: collection.segments)
    }

    /// The document this one hangs from; `nil` in a root collection.
    package var parent: DocumentPath? { collection.parent }

    /// A collection under this document.
    package func collection(_ id: String) throws -> CollectionPath {
        try CollectionPath(segments + [id])
    }

    package var description: String { segments.joined(separator: "/") }
}

extension DocumentPath: Hashable {
    package static func == (lhs: DocumentPath, rhs: DocumentPath) -> Bool {
        lhs.segments.hasSameBytes(as: rhs.segments)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(segments)
    }
}

extension [DocumentPath] {
    /// The paths in the order of names, as queries have it.
    package var inNameOrder: [DocumentPath] {
        guard count > 1 else { return self }
        return map { (key: OrderedKey($0), path: $0) }.sorted { $0.key < $1.key }.map(\.path)
    }
}
