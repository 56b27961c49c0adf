// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// A page of a listing: items and prefixes, each in the order of their bytes.
package struct ObjectListing: Hashable, Sendable {
    /// The objects that no common prefix stands for.
    package var items: [ObjectMetadata]
    /// The common prefixes, each ending with the delimiter.
    package var prefixes: [String]
    /// The token of the next page; `nil` on the last.
    package var nextPageToken: String?

    /// Creates a page; the page of an empty bucket when nothing is named.
    package init(items: [ObjectMetadata] = [], prefixes: [String] = [], nextPageToken: String? = nil) {
        self.items = items
        self.prefixes = prefixes
        self.nextPageToken = nextPageToken
    }
}

extension SQLiteObjectStore {
    /// Lists a bucket by the bytes of names, and versions by their generations; an absent bucket is empty.
    ///
    /// Items and common prefixes both count to `maxResults`, each appears once over all the pages. The cost grows with
    /// the page alone: what lies below a common prefix is jumped over. Throws `invalidPageToken`.
    package func list(_ bucket: BucketName, matching query: ObjectListQuery = ObjectListQuery()) throws -> ObjectListing
    {
        let range = try ListingRange(query)
        return try reading { database in
            guard let table = try ObjectTable(database, bucket: bucket) else { return ObjectListing() }
            var page = ListingPage(query, range: range, now: clock())
            var next: Data? = range.lower
            while let lower = next {
                next = try page.visit(table, from: lower)
            }
            return page.listing
        }
    }
}
