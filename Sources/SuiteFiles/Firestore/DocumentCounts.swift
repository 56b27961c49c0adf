// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The progress of an import or export of documents.
package struct DocumentCounts: Sendable, Hashable {
    /// Between two reports of an import or export.
    static let documentsPerReport = 1_000

    /// Documents.
    package internal(set) var documents = 0

    /// Counts a document, and reports now and then.
    mutating func add(_ report: (DocumentCounts) throws -> Void) throws {
        documents += 1
        if documents.isMultiple(of: Self.documentsPerReport) { try report(self) }
    }
}
