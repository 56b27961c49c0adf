// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

extension SQLiteObjectStore {
    /// Lists a bucket by the bytes of names, and versions by their generations; an absent bucket is empty.
    ///
    /// Items and common prefixes both count to `maxResults`, each appears once over all the pages. The cost grows with
    /// the page alone: what lies below a common prefix is jumped over. Throws `invalidPageToken`.
    package func list(_ bucket: BucketName, _ query: ObjectListQuery = ObjectListQuery()) throws -> ObjectListing {
        let range = try ListingRange(query)
        return try reading { database in
            guard let table = try ObjectTable(database, bucket: bucket) else { return ObjectListing() }
            var page = ListingPage(query, range, now: clock())
            var next: Data? = range.lower
            while let lower = next {
                next = try page.visit(table, from: lower)
            }
            return page.listing
        }
    }
}
