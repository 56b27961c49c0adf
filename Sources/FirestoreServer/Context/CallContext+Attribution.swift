// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreProtocol
import Metering
import Wire

extension CallContext {
    /// Attributes the call to a database.
    func attribute(to database: DatabaseID) {
        projects?.note(database.project, of: .firestore)
        attribute { $0.database = database.shortName }
    }

    /// Attributes the call to the collection of a document.
    func attribute(to path: DocumentPath) {
        attribute { $0.collection = path.collectionPathWithoutIDs }
    }

    /// Attributes the call to the collection of all the documents; to none when they are in several.
    func attribute(to paths: [DocumentPath]) {
        let isOne =
            paths.first.map { first in paths.dropFirst().allSatisfy { $0.isInCollection(like: first) } } ?? false
        attribute { $0.collection = isOne ? paths.first?.collectionPathWithoutIDs : nil }
    }

    /// Attributes the call to a collection.
    func attribute(to collection: CollectionPath) {
        attribute { $0.collection = collection.withoutIDs }
    }

    /// Attributes the call to the collection of a query and to the query's shape.
    func attribute(to query: Proto.StructuredQuery, under parent: DocumentPath?) {
        let shape = QueryShape(query, under: parent?.collectionIDs ?? [])
        attribute {
            $0.collection = shape.collection
            $0.queryShape = shape.text
        }
    }

    /// Attributes the call to a target of a listener; with several on a stream, to the last.
    func attribute(to target: Proto.Target, in database: DatabaseID) {
        attribute {
            $0.collection = nil
            $0.queryShape = nil
        }
        switch target.targetType {
        case .query(let query):
            // A name that is wrong is refused by the call itself; here it only stays without a label.
            let parent = try? ResourceParent(parsing: query.parent)
            attribute(to: query.structuredQuery, under: parent?.document)
        case .documents(let target):
            attribute(to: target.documents.compactMap { try? DocumentPath(named: $0, in: database) })
        case nil: break
        }
    }
}

extension DatabaseID {
    /// The name in usage records: `project/database`.
    var shortName: String {
        // Appending to a short text needs no memory.
        var name = project
        name += "/"
        name += database
        return name
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
