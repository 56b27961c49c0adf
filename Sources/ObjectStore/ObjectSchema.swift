// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The tables of the metadata database, in the order in which they came to be.
enum ObjectSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 buckets and objects") { try $0.execute(sql: bucketsAndObjects) }
        return migrator
    }

    // Names are BLOBs: they compare by bytes, may hold NUL, and the end of a prefix need not be valid UTF-8.
    // Without a rowid the rows lie in the order of the names: a page of a listing is one run of the tree.
    private static let bucketsAndObjects = """
        CREATE TABLE clock (id INTEGER PRIMARY KEY CHECK (id = 1), lastGeneration INTEGER NOT NULL);
        INSERT INTO clock VALUES (1, 0);
        CREATE TABLE bucket (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, timeCreated INTEGER NOT NULL);
        CREATE TABLE object (
            bucketID INTEGER NOT NULL REFERENCES bucket (id),
            name BLOB NOT NULL,
            blob TEXT NOT NULL,
            generation INTEGER NOT NULL,
            metageneration INTEGER NOT NULL,
            byteCount INTEGER NOT NULL,
            md5 BLOB NOT NULL,
            crc32c INTEGER NOT NULL,
            timeCreated INTEGER NOT NULL,
            updated INTEGER NOT NULL,
            contentType TEXT NOT NULL,
            contentEncoding TEXT,
            contentDisposition TEXT,
            contentLanguage TEXT,
            cacheControl TEXT,
            storageClass TEXT NOT NULL,
            customMetadata TEXT,
            downloadTokens TEXT,
            PRIMARY KEY (bucketID, name)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX objectBlob ON object (blob);
        """
}
