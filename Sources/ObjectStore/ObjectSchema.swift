// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The tables of the metadata database, in the order in which they came to be.
enum ObjectSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 buckets and objects") { try $0.execute(sql: bucketsAndObjects) }
        migrator.registerMigration("2 versions and resumable uploads") { try $0.execute(sql: versionsAndUploads) }
        return migrator
    }

    private static let objectColumns = """
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
        """

    // Names are BLOBs: they compare by bytes, may hold NUL, and the end of a prefix need not be valid UTF-8.
    // Without a rowid the rows lie in the order of the names: a page of a listing is one run of the tree.
    private static let bucketsAndObjects = """
        CREATE TABLE clock (id INTEGER PRIMARY KEY CHECK (id = 1), lastGeneration INTEGER NOT NULL);
        INSERT INTO clock VALUES (1, 0);
        CREATE TABLE bucket (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, timeCreated INTEGER NOT NULL);
        CREATE TABLE object (
            \(objectColumns)
            PRIMARY KEY (bucketID, name)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX objectBlob ON object (blob);
        """

    // Noncurrent and softly deleted versions lie apart, so that a listing of the live ones never walks over them.
    // Several rows may name one blob: copies share it, and the last row to go takes it along.
    private static let versionsAndUploads = """
        ALTER TABLE bucket ADD COLUMN updated INTEGER NOT NULL DEFAULT 0;
        UPDATE bucket SET updated = timeCreated;
        ALTER TABLE bucket ADD COLUMN metageneration INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE bucket ADD COLUMN isVersioned INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE bucket ADD COLUMN softDeleteSeconds INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE bucket ADD COLUMN retentionSeconds INTEGER;
        ALTER TABLE bucket ADD COLUMN hasDefaultEventBasedHold INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE bucket ADD COLUMN storageClass TEXT NOT NULL DEFAULT 'STANDARD';
        ALTER TABLE bucket ADD COLUMN configuration TEXT;
        ALTER TABLE bucket ADD COLUMN defaultKeyName TEXT;
        ALTER TABLE object ADD COLUMN extras TEXT;
        DROP INDEX objectBlob;
        CREATE INDEX objectBlob ON object (blob);
        CREATE TABLE noncurrent (
            \(objectColumns)
            extras TEXT,
            timeDeleted INTEGER NOT NULL,
            restorableUntil INTEGER,
            PRIMARY KEY (bucketID, name, generation)
        ) WITHOUT ROWID;
        CREATE INDEX noncurrentBlob ON noncurrent (blob);
        CREATE INDEX noncurrentExpiry ON noncurrent (restorableUntil) WHERE restorableUntil IS NOT NULL;
        CREATE TABLE upload (
            id TEXT PRIMARY KEY,
            timeCreated INTEGER NOT NULL,
            request TEXT NOT NULL,
            isCancelled INTEGER NOT NULL DEFAULT 0,
            bucket TEXT,
            name BLOB,
            generation INTEGER
        ) WITHOUT ROWID;
        CREATE INDEX uploadTime ON upload (timeCreated);
        CREATE TABLE partedUpload (
            id TEXT PRIMARY KEY,
            timeCreated INTEGER NOT NULL,
            bucket TEXT NOT NULL,
            name BLOB NOT NULL,
            attributes TEXT NOT NULL,
            customerKeyHash TEXT
        ) WITHOUT ROWID;
        CREATE TABLE part (
            uploadID TEXT,
            number INTEGER,
            blob TEXT NOT NULL,
            byteCount INTEGER NOT NULL,
            md5 BLOB NOT NULL,
            crc32c INTEGER NOT NULL,
            time INTEGER NOT NULL,
            PRIMARY KEY (uploadID, number)
        ) WITHOUT ROWID;
        CREATE INDEX partBlob ON part (blob);
        CREATE TABLE record (kind TEXT, id TEXT, text TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
        """
}
