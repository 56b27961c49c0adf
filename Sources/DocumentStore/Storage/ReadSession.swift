// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

import struct Foundation.Data

/// Reads as of one moment.
struct ReadSession {
    let db: Database
    let readTime: Timestamp
    /// The moment in the past to read as of; `nil` for the latest state.
    var past: Timestamp?

    func document(at path: DocumentPath, in database: DatabaseID) throws -> Document? {
        if let past { return try document(at: path, in: database, asOf: past) }
        guard let id = try db.id(of: database) else { return nil }
        return try db.storedDocument(at: path, in: id)?.document
    }

    /// Hops from one collection id to the next, whatever is in between.
    func collectionIDs(
        under parent: DocumentPath?,
        in database: DatabaseID,
        after: String?,
        limit: Int?
    ) throws -> [String] {
        guard let databaseID = try db.id(of: database) else { return [] }
        let prefix = OrderedKey(segmentsOf: parent)
        let children = prefix + OrderedKey([PathTag.string])
        var lower = after.map { prefix.appending(segment: $0, isDocument: false).successor } ?? children
        var ids: [String] = []
        while ids.count < limit ?? .max,
            let path = try db.firstPath(in: KeyInterval(lower, children.successor), of: databaseID, asOf: past)
        {
            var decoder = PathKeyDecoder(Array(path.dropFirst(prefix.bytes.count)))
            guard let id = try decoder.nextSegment() else { throw DocumentStoreError.corrupted("a path") }
            ids.append(id)
            lower = prefix.appending(segment: id, isDocument: false).successor
        }
        return ids
    }
}

extension OrderedKey {
    func appending(segment: String, isDocument: Bool) -> OrderedKey {
        var encoder = KeyEncoder()
        encoder.append(segment: segment, isDocument: isDocument)
        return self + encoder.key
    }
}
