// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import GRDB

/// Multipart uploads of the XML API: parts that arrive in any order, and become one object.
extension SQLiteObjectStore {
    /// Begins an upload of an object with attributes, and of a customer's key if it has one; returns its id.
    package func beginParts(
        of path: ObjectPath,
        attributes: ObjectAttributes,
        customerKeyHash: String?
    ) throws -> String {
        try attributes.validate()
        let id = BlobID().description
        let upload = PartedUpload(path: path, attributes: attributes, customerKeyHash: customerKeyHash)
        try writing { try PartTable(database: $0).begin(upload, id: id, now: clock()) }
        return id
    }

    /// Begins a part of an upload, to replace an earlier one of its number once it is kept.
    ///
    /// Throws `PartStoringError.noSuchUpload`, and `wrongKey` when the customer's key is not the upload's.
    package func beginPart(
        _ number: Int,
        of uploadID: String,
        at path: ObjectPath,
        customerKeyHash: String?
    ) throws -> PartUpload {
        let upload = try reading { try PartTable(database: $0).upload(uploadID, of: path) }
        guard upload.customerKeyHash == customerKeyHash else { throw PartStoringError.wrongKey }
        return try PartUpload(store: self, number: number, of: uploadID, at: path)
    }

    func keep(_ part: StoredPart, of uploadID: String, at path: ObjectPath) throws {
        var isCommitting = false
        do {
            try changing { database, unnamed in
                let table = PartTable(database: database)
                _ = try table.upload(uploadID, of: path)
                if let former = try table.put(part, in: uploadID) { unnamed.append(former) }
                isCommitting = true
            }
        } catch {
            // As with objects: a failed COMMIT may still be found committed.
            if !isCommitting { directory.discardBlob(part.blob) }
            throw error
        }
    }

    /// Lists the parts behind a number in their order, `countMax` of them at most; throws `noSuchUpload`.
    package func parts(
        of uploadID: String,
        at path: ObjectPath,
        after number: Int = 0,
        countMax: Int = .max
    ) throws -> [StoredPart] {
        try reading { database in
            let table = PartTable(database: database)
            _ = try table.upload(uploadID, of: path)
            return try table.parts(of: uploadID, after: number, countMax: countMax)
        }
    }

    /// Makes one object of the parts in the order given, and ends the upload.
    ///
    /// Throws `PartStoringError.partMissing` where a part is not there or its entity tag is another, and what stops an
    /// upload; nothing has changed then.
    package func completeParts(
        _ named: [NamedPart],
        of uploadID: String,
        at path: ObjectPath,
        preconditions: ObjectPreconditions = .none
    ) throws -> ObjectMetadata {
        let upload = try reading { try PartTable(database: $0).upload(uploadID, of: path) }
        let stored = Dictionary(uniqueKeysWithValues: try parts(of: uploadID, at: path).map { ($0.number, $0) })
        let chosen = try named.map { name in
            guard let part = stored[name.number], part.digest.md5Hex == name.entityTag else {
                throw PartStoringError.partMissing(name.number)
            }
            return part
        }
        let bytes = try join(chosen) { part in
            guard let file = try StoreFile(ifThere: directory.blobPath(part.blob), .reading) else {
                throw PartStoringError.partMissing(part.number)
            }
            return file
        }
        let placement = ObjectPlacement(
            blob: bytes.id,
            byteCount: bytes.byteCount,
            digest: .joining(chosen.map { ($0.digest, $0.byteCount) }),
            attributes: upload.attributes,
            customerKeyHash: upload.customerKeyHash
        )
        return try put(placement, at: path, preconditions: preconditions) { database, _, unnamed in
            let table = PartTable(database: database)
            // Another request may have ended the upload meanwhile.
            _ = try table.upload(uploadID, of: path)
            unnamed += try table.delete(uploadID)
        }
    }

    /// Ends an upload and forgets its parts; throws `noSuchUpload`.
    package func abortParts(of uploadID: String, at path: ObjectPath) throws {
        try changing(.deleting) { database, unnamed in
            let table = PartTable(database: database)
            _ = try table.upload(uploadID, of: path)
            unnamed += try table.delete(uploadID)
        }
    }
}
