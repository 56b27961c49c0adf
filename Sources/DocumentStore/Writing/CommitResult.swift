// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// The result of one write.
package struct WriteResult: Sendable, Equatable {
    /// When the document last changed, which a write without effect leaves alone; `nil` after a delete.
    package var updateTime: Timestamp?
    /// One per transform, in order: the new value, or null for the array transforms.
    package var transformResults: [Value]
}

/// The result of a commit.
package struct CommitResult: Sendable, Equatable {
    /// Later than every commit before it.
    package var commitTime: Timestamp
    /// One per write, in order.
    package var results: [WriteResult]
    /// Sets and updates, those without effect too.
    ///
    /// Source: Firestore pricing, firebase.google.com/docs/firestore/pricing (2026-11).
    package var billedWrites: Int
    /// Deletes, of missing documents too.
    package var billedDeletes: Int
    /// One per write, as the commit leaves the document; `nil` for one that is missing then.
    package var documents: [Document?] = []
}

/// The fields that a write sets.
package enum WrittenFields: Sendable {
    case values([String: Value])
    /// As they will be stored, within the limits of a write: most commits need not look at them while others wait.
    case plain(PlainFields)

    /// All fields, decoded each time if need be.
    package var values: [String: Value] {
        get throws {
            switch self {
            case .values(let values): values
            case .plain(let fields): try fields.encoded.decoded()
            }
        }
    }
}

extension WrittenFields: Equatable {
    /// Compares what the fields are, not how they are kept.
    package static func == (lhs: WrittenFields, rhs: WrittenFields) -> Bool {
        (try? lhs.values) == (try? rhs.values)
    }
}
