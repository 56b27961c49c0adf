// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// Asks for one page of a collection.
package struct ListRequest: Sendable {
    /// The page size when none is asked for.
    ///
    /// Source of both sizes: measured on the official emulator 1.19.9.
    package static let pageSizeDefault = 30
    /// The largest page given, whatever is asked for.
    package static let pageSizeMax = 150

    package var collection: CollectionPath
    /// `nil` or 0 for the default.
    package var pageSize: Int?
    /// From the previous page's `nextPageToken`.
    package var pageToken: String?
    package var orderBy: [Query.Ordering]
    package var mask: DocumentMask?
    /// Also lists documents that do not exist but have documents below them; only in the order of names.
    package var showsMissing: Bool

    package init(
        collection: CollectionPath,
        pageSize: Int? = nil,
        pageToken: String? = nil,
        orderBy: [Query.Ordering] = [],
        mask: DocumentMask? = nil,
        showsMissing: Bool = false
    ) {
        self.collection = collection
        self.pageSize = pageSize
        self.pageToken = pageToken
        self.orderBy = orderBy
        self.mask = mask
        self.showsMissing = showsMissing
    }
}

/// One page of a collection.
package struct ListPage: Sendable, Equatable {
    /// Missing documents appear only when asked for.
    package var entries: [LookupResult.Entry]
    /// `nil` on the last page.
    package var nextPageToken: String?
    package var readTime: Timestamp
    /// One per document listed, at least one, as for a query.
    ///
    /// Source: Firestore pricing, firebase.google.com/docs/firestore/pricing (2026-11).
    package var billedReads: Int
}

/// The results of reading documents by name.
package struct LookupResult: Sendable, Equatable {
    /// One document, there or not.
    package enum Entry: Sendable, Equatable {
        case found(Document)
        case missing(DocumentPath)
    }

    /// One for each distinct name, in the order first asked for.
    package var entries: [Entry]
    package var readTime: Timestamp
    /// One per reference asked for, missing and repeated ones too.
    ///
    /// Source: reads of documents that do not exist were billed (BasedHardware/omi, pull request 12221).
    package var billedReads: Int
}
