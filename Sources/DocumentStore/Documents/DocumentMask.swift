// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The fields of a document to return or to change.
///
/// Empty, or naming only `__name__`, it selects no field: only the document's name and times.
package struct DocumentMask: Sendable, Equatable {
    package var fieldPaths: [FieldPath]

    package init(_ fieldPaths: [FieldPath]) {
        self.fieldPaths = fieldPaths
    }

    /// Parses each path as `FieldPath(parsing:)` does, and refuses those that no request may name.
    package init(parsing fieldPaths: [String]) throws {
        self.fieldPaths = try fieldPaths.map { text in
            let path = try FieldPath(parsing: text)
            try path.validate()
            return path
        }
    }
}
