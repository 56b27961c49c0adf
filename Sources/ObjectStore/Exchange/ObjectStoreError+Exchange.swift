// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Faults of objects that come from another store, or go to one.
extension ObjectStoreError {
    static func sizeMismatch(expected: Int64, actual: Int64) -> Self {
        Self(code: .hashMismatch, message: "the object has \(actual) bytes instead of \(expected)")
    }

    static func alreadyImported(_ path: ObjectPath) -> Self {
        Self(code: .alreadyImported, message: "\(path) is there twice; remove one of the two")
    }

    static let extrasUnreadable = Self(
        code: .invalidAttribute,
        message: "the rare attributes of the object are not in a form that an export of this program has"
    )

    static func blobAltered(_ path: ObjectPath) -> Self {
        Self(
            code: .corrupt,
            message: "the bytes of \(path) have changed on disk since they were stored; upload the object again"
        )
    }
}
