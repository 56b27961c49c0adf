// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import GRDB
import ObjectStoreCrashScript
import Testing

@testable import ObjectStore

extension CrashSnapshot {
    /// Reads the multipart uploads that have not ended, and the bytes of their parts.
    static func partedUploads(in store: SQLiteObjectStore) throws -> [CrashPartedUpload: [Int: Sums]] {
        var uploads: [CrashPartedUpload: [Int: Sums]] = [:]
        for upload in try store.reading({ try PartTable(database: $0).uploads() }) {
            let parts = try store.parts(of: upload.id, at: #require(upload.place.path))
            uploads[upload] = Dictionary(uniqueKeysWithValues: try parts.map { ($0.number, try read($0, in: store)) })
        }
        return uploads
    }

    private static func read(_ part: StoredPart, in store: SQLiteObjectStore) throws -> Sums {
        let file = try #require(try StoreFile(ifThere: store.directory.blobPath(part.blob), .reading))
        var hasher = try ObjectHasher()
        let byteCount = try file.readAll { try hasher.update($0) }
        #expect(part.byteCount == byteCount)
        #expect(part.digest == (try hasher.finish()))
        return Sums(byteCount: byteCount, crc32c: part.digest.crc32c)
    }
}

extension CrashPlace {
    /// The path in the store.
    var path: ObjectPath? { ObjectPath(bucket: bucket.rawValue, name: name) }
}

extension PartTable {
    fileprivate func uploads() throws -> [CrashPartedUpload] {
        try Row.fetchAll(database, sql: "SELECT id, bucket, CAST(name AS TEXT) FROM partedUpload").map { row in
            CrashPartedUpload(id: row[0], place: CrashPlace(try #require(CrashBucket(rawValue: row[1])), row[2]))
        }
    }
}
