// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

extension SQLiteObjectStore {
    /// Removes all objects, versions, buckets, uploads and records; generations continue where they were.
    ///
    /// An upload that is being received stays one, and becomes an object of the empty store when it is committed.
    package func removeAll() throws {
        let uploads = try changingMany(.deleting) { database, notes in
            try notes.noteAll(as: .loose)
            let uploads = try UploadTable(database: database).active()
            for table in ["object", "noncurrent", "bucket", "upload", "part", "partedUpload", "record"] {
                try database.execute(sql: "DELETE FROM \(table)")
            }
            return uploads
        }
        resumables.forgetAll()
        for upload in uploads { directory.discardUpload(upload.blob) }
    }
}
