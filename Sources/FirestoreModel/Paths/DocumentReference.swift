// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A document's full resource name: `projects/{p}/databases/{d}/documents/{path}`.
package struct DocumentReference: Hashable, Sendable, CustomStringConvertible {
    package let database: DatabaseID
    package let path: DocumentPath

    package init(database: DatabaseID, path: DocumentPath) {
        self.database = database
        self.path = path
    }

    /// Parses a full resource name.
    ///
    /// - Throws: `FirestoreError` (invalid argument) naming the index at which the name goes wrong.
    package init(parsing name: String, as kind: ResourceNameKind = .document) throws {
        if let plain = PlainResourceName(name), let document = plain.document {
            database = plain.database
            path = document
        } else {
            var parser = ResourceNameParser(name, kind: kind)
            database = try parser.parseDatabase()
            path = try parser.parseDocumentPath()
        }
    }

    /// The full name, `projects/{p}/databases/{d}/documents/{path}`.
    package var name: String { "\(database.documentsName)/\(path)" }

    package var description: String { name }
}

/// The parent of collections: a document, or the root of a database.
///
/// The `parent` of queries and listings: `projects/{p}/databases/{d}/documents[/{document}]`.
package struct ResourceParent: Hashable, Sendable {
    package let database: DatabaseID
    /// `nil` for the root.
    package let document: DocumentPath?

    package init(database: DatabaseID, document: DocumentPath? = nil) {
        self.database = database
        self.document = document
    }

    /// Parses a full resource name that ends in `/documents` or names a document.
    ///
    /// - Throws: `FirestoreError` (invalid argument) naming the index at which the name goes wrong.
    package init(parsing name: String) throws {
        if let plain = PlainResourceName(name) {
            database = plain.database
            document = plain.document
        } else {
            var parser = ResourceNameParser(name, kind: .parent)
            database = try parser.parseDatabase()
            document = parser.isAtEnd ? nil : try parser.parseDocumentPath()
        }
    }
}
