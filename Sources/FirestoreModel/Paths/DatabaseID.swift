// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Names a database: `projects/{project}/databases/{database}`.
///
/// Every database exists, empty, before anything is written to it.
package struct DatabaseID: Sendable, CustomStringConvertible {
    /// The database SDKs use by default.
    static let defaultDatabase = "(default)"

    package let project: String
    package let database: String

    package init(project: String, database: String = DatabaseID.defaultDatabase) {
        self.project = project
        self.database = database
    }

    /// The full name, `projects/{project}/databases/{database}`.
    package var name: String { "projects/\(project)/databases/\(database)" }

    /// The parent of the root collections: `projects/{project}/databases/{database}/documents`.
    package var documentsName: String { "\(name)/documents" }

    package var description: String { name }
}

extension DatabaseID: Hashable {
    package static func == (lhs: DatabaseID, rhs: DatabaseID) -> Bool {
        lhs.project.hasSameBytes(as: rhs.project) && lhs.database.hasSameBytes(as: rhs.database)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(project)
        hasher.combine(database)
    }
}
