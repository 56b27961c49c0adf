// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import Metering

extension CallUsage {
    /// Notes the database a call is about.
    mutating func attribute(to database: DatabaseID) {
        attribution.database = "\(database.project)/\(database.database)"
    }

    /// Notes the collection all the documents are in; none when they are in several.
    mutating func attribute(to paths: [DocumentPath]) {
        let collections = Set(paths.map { $0.collection.withoutIDs })
        attribution.collection = collections.count == 1 ? collections.first : nil
    }
}

extension CollectionPath {
    /// The collection ids alone: `users/posts` for `users/a/posts`.
    var withoutIDs: String { segments.withoutDocumentIDs.joined(separator: "/") }
}

extension DocumentPath {
    /// The ids of the collections on the way to the document.
    var collectionIDs: [String] { segments.withoutDocumentIDs }
}

extension [String] {
    fileprivate var withoutDocumentIDs: [String] {
        indices.filter { $0.isMultiple(of: 2) }.map { self[$0] }
    }
}
