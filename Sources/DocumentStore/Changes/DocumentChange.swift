// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// One document before and after a commit.
package struct DocumentChange: Sendable {
    package let path: DocumentPath
    /// `nil` when it did not exist.
    package let before: Document?
    /// `nil` when it no longer exists.
    package let after: Document?

    package init(path: DocumentPath, before: Document?, after: Document?) {
        self.path = path
        self.before = before
        self.after = after
    }
}
