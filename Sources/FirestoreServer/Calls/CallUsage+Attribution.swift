// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import Metering

extension CallUsage {
    /// Notes the database a call is about.
    mutating func attribute(to database: DatabaseID) {
        // Appending to a short text needs no memory.
        var name = database.project
        name += "/"
        name += database.database
        attribution.database = name
    }

    /// Notes the collection a document is in.
    mutating func attribute(to path: DocumentPath) {
        attribution.collection = path.collectionPathWithoutIDs
    }

    /// Notes the collection all the documents are in; none when they are in several.
    mutating func attribute(to paths: [DocumentPath]) {
        attribution.collection = nil
        if let first = paths.first, paths.dropFirst().allSatisfy({ $0.isInCollection(like: first) }) {
            attribution.collection = first.collectionPathWithoutIDs
        }
    }
}

extension CollectionPath {
    /// The collection ids alone: `users/posts` for `users/a/posts`.
    var withoutIDs: String { segments.withoutDocumentIDs.joined(separator: "/") }
}

extension DocumentPath {
    /// The ids of the collections on the way to the document.
    var collectionIDs: [String] { segments.withoutDocumentIDs }

    fileprivate var collectionPathWithoutIDs: String {
        segments.count == 2 ? segments[0] : segments.withoutDocumentIDs.joined(separator: "/")
    }

    /// Whether the collections of both have the same ids, other than those of documents.
    fileprivate func isInCollection(like other: DocumentPath) -> Bool {
        segments.count == other.segments.count
            && stride(from: 0, to: segments.count, by: 2).allSatisfy { segments[$0] == other.segments[$0] }
    }
}

extension [String] {
    fileprivate var withoutDocumentIDs: [String] {
        indices.filter { $0.isMultiple(of: 2) }.map { self[$0] }
    }
}
