// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// The change of a document that a commit made.
package struct ChangedDocument: Sendable {
    let database: DatabaseID
    let path: DocumentPath
    /// `nil` when it did not exist.
    let before: Document?
    /// `nil` when it no longer exists.
    let after: Document?
    let commitTime: Timestamp
    let principal: EventPrincipal

    /// Describes a change.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - path: The document.
    ///   - before: The document before; `nil` when it did not exist.
    ///   - after: The document afterwards; `nil` when it no longer exists.
    ///   - commitTime: The time of the commit.
    ///   - principal: The originator.
    package init(
        database: DatabaseID,
        path: DocumentPath,
        before: Document?,
        after: Document?,
        commitTime: Timestamp,
        principal: EventPrincipal = .unknown
    ) {
        (self.database, self.path) = (database, path)
        (self.before, self.after) = (before, after)
        (self.commitTime, self.principal) = (commitTime, principal)
    }

    /// The kind of the change; `nil` for a document that neither was there nor is.
    var kind: DocumentEvent? {
        switch (before, after) {
        case (nil, nil): nil
        case (nil, _?): .created
        case (_?, nil): .deleted
        case (_?, _?): .updated
        }
    }

    /// The memory that a waiting event holds, about.
    var byteCount: Int {
        (before?.encodedFields.bytes.count ?? 0) + (after?.encodedFields.bytes.count ?? 0) + Self.overheadByteCount
    }

    private static let overheadByteCount = 512
}
