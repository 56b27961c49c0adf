// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

extension SQLiteObjectStore {
    /// Lists a bucket by the bytes of names; an absent bucket is empty.
    ///
    /// Items and common prefixes both count to `maxResults`, each appears once over all the pages. The cost grows with
    /// the page alone: what lies below a common prefix is jumped over. Throws `invalidPageToken`.
    package func list(_ bucket: BucketName, _ query: ObjectListQuery = ObjectListQuery()) throws -> ObjectListing {
        let range = try ListingRange(query)
        return try reading { database in
            guard let table = try ObjectTable(database, bucket: bucket) else { return ObjectListing() }
            var page = ListingPage(range: range, entryCountMax: query.maxResults)
            var next: Data? = range.lower
            while let lower = next {
                next = try page.visit(table, from: lower)
            }
            return page.listing
        }
    }
}

/// A page being filled.
private struct ListingPage {
    let range: ListingRange
    let entryCountMax: Int
    private(set) var listing = ObjectListing()
    private var lastEntry = Data()

    init(range: ListingRange, entryCountMax: Int) {
        self.range = range
        self.entryCountMax = entryCountMax
    }

    private var isFull: Bool { listing.items.count + listing.prefixes.count == entryCountMax }

    /// Takes the entries of one run of rows; returns where to go on after a common prefix, `nil` at the end.
    mutating func visit(_ table: ObjectTable, from lower: Data) throws -> Data? {
        let rows = try table.rows(from: lower, below: range.upper)
        while let row = try rows.next() {
            if isFull {
                listing.nextPageToken = PageToken.encode(lastEntry)
                return nil
            }
            let name: Data = row[1]
            if let prefix = range.commonPrefix(of: name) {
                listing.prefixes.append(String(decoding: prefix, as: UTF8.self))
                lastEntry = prefix
                return ListingRange.end(of: prefix)
            }
            listing.items.append(try ObjectRow(row, bucket: table.bucket).metadata)
            lastEntry = name
        }
        return nil
    }
}
