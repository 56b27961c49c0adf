// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Documents in a query's order, by row, and those of them that need not be read again.
///
/// Rows below zero are of documents that are no longer as they were.
struct SortedRows {
    private let entries: EntrySorter
    private var documents: [Int64: Document]
    private var index = 0

    /// Takes over sorted entries.
    init(_ entries: EntrySorter, documents: [Int64: Document]) {
        self.entries = entries
        self.documents = documents
    }

    var isEmpty: Bool { index == entries.count }

    /// The row of the next document; there must be one.
    var row: Int64 { entries.row(at: index) }

    /// The place of the next document in the order.
    var key: OrderedKey { entries.key(at: index) }

    /// The next document, if it is at hand.
    var document: Document? { documents[row] }

    mutating func removeFirst() {
        index += 1
    }

    /// Forgets the documents, as they are not asked for soon.
    mutating func forgetDocuments() {
        documents = [:]
    }
}
