// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// A row of the table of objects: the metadata, and the blob that holds the bytes.
struct ObjectRow {
    var metadata: ObjectMetadata
    var blob: BlobID

    /// The columns in the order that `init(_:bucket:)` and `arguments(bucketID:)` use.
    static let columns = """
        bucketID, name, blob, generation, metageneration, byteCount, md5, crc32c, timeCreated, updated, \
        contentType, contentEncoding, contentDisposition, contentLanguage, cacheControl, storageClass, \
        customMetadata, downloadTokens, extras
        """
    static let placeholders = Array(repeating: "?", count: 19).joined(separator: ", ")
    /// The columns behind them, which contain when a version stopped being live: 19 and 20.
    static let noRetirement = "NULL, NULL"
    static let retirement = "timeDeleted, restorableUntil"
}

extension ObjectRow {
    init(_ row: Row, bucket: BucketMetadata) throws {
        guard let name = ObjectName(String(decoding: row[1] as Data, as: UTF8.self)) else {
            throw ObjectStoreError.rowUnreadable("name")
        }
        guard let blob = BlobID(row[2]) else { throw ObjectStoreError.rowUnreadable("blob") }
        let md5: Data = row[6]
        guard md5.isEmpty || md5.count == ObjectDigest.md5ByteCount else { throw ObjectStoreError.rowUnreadable("md5") }
        self.blob = blob
        metadata = ObjectMetadata(
            path: ObjectPath(bucket: bucket.name, name: name),
            generation: row[3],
            metageneration: row[4],
            byteCount: row[5],
            digest: ObjectDigest(md5: md5.isEmpty ? nil : Array(md5), crc32c: row[7]),
            attributes: try ObjectAttributes(row),
            timeCreated: row[8],
            updated: row[9]
        )
        let extras: ObjectExtras? = try JSONColumn.decode(row[18])
        extras?.apply(to: &metadata)
        let timeDeleted: Int64? = row[19]
        metadata.retirement = timeDeleted.map { ObjectRetirement(time: $0, restorableUntil: row[20]) }
        metadata.retain(asRequiredBy: bucket.settings)
    }

    func arguments(bucketID: Int64) throws -> StatementArguments {
        let attributes = metadata.attributes
        return [
            bucketID, metadata.name.data, blob.description, metadata.generation, metadata.metageneration,
            metadata.byteCount, Data(metadata.digest.md5 ?? []), metadata.digest.crc32c, metadata.timeCreated,
            metadata.updated, attributes.contentType, attributes.contentEncoding, attributes.contentDisposition,
            attributes.contentLanguage, attributes.cacheControl, attributes.storageClass,
            try JSONColumn.encode(unlessEmpty: attributes.customMetadata),
            try JSONColumn.encode(unlessEmpty: attributes.downloadTokens), try ObjectExtras(metadata).encoded(),
        ]
    }
}

extension ObjectAttributes {
    fileprivate init(_ row: Row) throws {
        self.init(
            contentType: row[10],
            contentEncoding: row[11],
            contentDisposition: row[12],
            contentLanguage: row[13],
            cacheControl: row[14],
            customMetadata: try JSONColumn.decode(row[16]) ?? [:],
            downloadTokens: try JSONColumn.decode(row[17]) ?? [],
            storageClass: row[15]
        )
    }
}

extension ObjectName {
    /// The bytes of the name, as the database holds them.
    var data: Data { Data(description.utf8) }
}
