// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The tables of the usage database, in the order in which they came to be.
enum LedgerSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 texts and records") { try $0.execute(sql: textsAndRecords) }
        migrator.registerMigration("2 requests that a record counts") { try $0.execute(sql: requestCount) }
        migrator.registerMigration("3 rows of several records") { try $0.execute(sql: runs) }
        return migrator
    }

    // Texts repeat in almost every record, so records hold their ids; as BLOBs they compare by bytes and may hold
    // NUL. Text 1 is the empty one, the key of records that lack a field. The newest record is never deleted, so that
    // sequence numbers are not given twice; AUTOINCREMENT, which older files have, makes an insertion half as slow again.
    private static let textsAndRecords = """
        CREATE TABLE text (id INTEGER PRIMARY KEY, value BLOB NOT NULL UNIQUE);
        INSERT INTO text VALUES (1, zeroblob(0));
        CREATE TABLE record (
            sequence INTEGER PRIMARY KEY,
            startMicroseconds INTEGER NOT NULL,
            durationMicroseconds INTEGER NOT NULL,
            method INTEGER NOT NULL,
            status INTEGER NOT NULL,
            outcome INTEGER NOT NULL,
            service INTEGER NOT NULL,
            operation INTEGER NOT NULL,
            bucket INTEGER,
            object INTEGER,
            feed INTEGER,
            imageOwner INTEGER,
            imageFeed INTEGER,
            imageIndex INTEGER,
            database INTEGER,
            collection INTEGER,
            query INTEGER,
            client INTEGER,
            user INTEGER,
            receivedHeader INTEGER NOT NULL,
            receivedBody INTEGER NOT NULL,
            receivedWire INTEGER NOT NULL,
            sentHeader INTEGER NOT NULL,
            sentBody INTEGER NOT NULL,
            sentWire INTEGER NOT NULL,
            egressBytes INTEGER NOT NULL,
            classA INTEGER NOT NULL,
            classB INTEGER NOT NULL,
            documentReads INTEGER NOT NULL,
            documentWrites INTEGER NOT NULL,
            documentDeletes INTEGER NOT NULL
        );
        """

    // Before, every record was a request.
    private static let requestCount = "ALTER TABLE record ADD COLUMN requestCount INTEGER NOT NULL DEFAULT 1"

    // Before, every row was one record. Now the counts of a row are sums over its records, and `laterTimes` holds the
    // times of all but the first.
    private static let runs = """
        ALTER TABLE record ADD COLUMN recordCount INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE record ADD COLUMN laterTimes BLOB;
        """
}
