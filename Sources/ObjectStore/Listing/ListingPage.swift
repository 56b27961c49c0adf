// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// A page being filled.
struct ListingPage {
    private let query: ObjectListQuery
    private let range: ListingRange
    private let now: Int64
    private(set) var listing = ObjectListing()
    private var last = PageToken(entry: Data())

    init(_ query: ObjectListQuery, _ range: ListingRange, now: Int64) {
        self.query = query
        self.range = range
        self.now = now
    }

    private var isFull: Bool { listing.items.count + listing.prefixes.count >= query.maxResults }

    /// Takes the entries of one run of rows; returns where to go on after a common prefix, `nil` at the end.
    mutating func visit(_ table: ObjectTable, from lower: Data) throws -> Data? {
        let rows = try table.rows(query.versions, from: lower, below: range.upper, now: now)
        while let row = try rows.next() {
            let name: Data = row[1]
            let generation: Int64 = row[3]
            if let seen = range.lastGeneration, name == range.lower, generation <= seen { continue }
            if isFull {
                listing.nextPageToken = last.encoded
                return nil
            }
            if let prefix = range.commonPrefix(of: name) {
                if query.includesTrailingDelimiter, prefix == name {
                    listing.items.append(try ObjectRow(row, bucket: table.bucket.metadata).metadata)
                }
                listing.prefixes.append(String(decoding: prefix, as: UTF8.self))
                last = PageToken(entry: prefix)
                return ListingRange.end(of: prefix)
            }
            let object = try ObjectRow(row, bucket: table.bucket.metadata).metadata
            if let filter = query.contextFilter, !filter.admits(object) { continue }
            listing.items.append(object)
            last = PageToken(entry: name, generation: query.versions == .live ? nil : generation)
        }
        return nil
    }
}
