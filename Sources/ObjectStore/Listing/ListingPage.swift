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

    init(_ query: ObjectListQuery, range: ListingRange, now: Int64) {
        self.query = query
        self.range = range
        self.now = now
    }

    private var isFull: Bool { listing.items.count + listing.prefixes.count >= query.maxResults }

    /// Takes the entries of one run of rows; returns where to continue after a common prefix, `nil` at the end.
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
                try take(prefix, of: row, table: table)
                return ListingRange.end(of: prefix)
            }
            try takeItem(row, table: table)
        }
        return nil
    }

    private mutating func take(_ prefix: Data, of row: Row, table: ObjectTable) throws {
        let name: Data = row[1]
        if query.includesTrailingDelimiter, prefix == name { try takeItem(row, table: table) }
        let text = String(decoding: prefix, as: UTF8.self)
        guard query.glob?.matches(text) ?? true else { return }
        listing.prefixes.append(text)
        last = PageToken(entry: prefix)
    }

    private mutating func takeItem(_ row: Row, table: ObjectTable) throws {
        let object = try ObjectRow(row, bucket: table.bucket.metadata).metadata
        guard query.glob?.matches(object.name) ?? true, query.contextFilter?.admits(object) ?? true else { return }
        listing.items.append(object)
        last = PageToken(entry: object.name.data, generation: query.versions == .live ? nil : object.generation)
    }
}
