// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

extension SQLiteObjectStore {
    /// Returns the metadata of a softly deleted version that can still be restored; `nil` when there is none.
    package func softlyDeleted(at path: ObjectPath, generation: Int64) throws -> ObjectMetadata? {
        let now = clock()
        return try reading {
            try ObjectTable($0, bucket: path.bucket)?.restorable(path.name, generation: generation, at: now)?.metadata
        }
    }

    /// Makes a softly deleted version a new live one; `nil` when there is none that can be restored.
    ///
    /// The live version there now, if any, is checked against the preconditions and replaced.
    package func restore(
        at path: ObjectPath,
        generation: Int64,
        preconditions: ObjectPreconditions = .none
    ) throws -> ObjectMetadata? {
        try changing { database, unnamed in
            let table = try ObjectTable(database, bucket: path.bucket)
            guard let table, let row = try table.restorable(path.name, generation: generation, at: clock()) else {
                return nil
            }
            let restored = try place(
                ObjectPlacement(row),
                at: path,
                preconditions: preconditions,
                database: database,
                unnamed: &unnamed
            )
            try table.delete(row)
            return restored
        }
    }

    /// Removes the softly deleted versions whose time is over; their blobs are left to the sweep that follows.
    func removeExpired() throws {
        try writing(.deleting) { [now = clock()] database in
            try database.execute(sql: "DELETE FROM noncurrent WHERE restorableUntil <= ?", arguments: [now])
        }
    }
}

extension ObjectTable {
    fileprivate func restorable(_ name: ObjectName, generation: Int64, at now: Int64) throws -> ObjectRow? {
        guard let row = try row(name, generation: generation),
            let end = row.metadata.retirement?.restorableUntil, end > now
        else { return nil }
        return row
    }
}
