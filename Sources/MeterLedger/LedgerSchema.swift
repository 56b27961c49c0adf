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
        migrator.registerMigration("4 tags and causes of aborts") { try $0.execute(sql: tagsAndCauses) }
        migrator.registerMigration("5 rollups") { try $0.execute(sql: rollups) }
        migrator.registerMigration("6 reads of rules") { try $0.execute(sql: ruleReads) }
        migrator.registerMigration("7 active users and messages") { try $0.execute(sql: usersAndMessages) }
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

    // The object's name gives the kind of an image's path.
    private static let tagsAndCauses = """
        ALTER TABLE record ADD COLUMN tag INTEGER;
        ALTER TABLE record ADD COLUMN abortCause INTEGER;
        ALTER TABLE record DROP COLUMN imageOwner;
        ALTER TABLE record DROP COLUMN imageFeed;
        ALTER TABLE record DROP COLUMN imageIndex;
        """

    // A row is the sum of the records of a period and a tag that have one value of a dimension; period 0 is everything.
    // A period is of one minute, or of the hour that begins with it. `rolledSequence` is the last record whose figures are
    // in them: those behind it are added at opening. What was used since a mark before `coarsePeriod` cannot be reported.
    private static let rollups = """
        CREATE TABLE period (id INTEGER PRIMARY KEY, minute INTEGER NOT NULL, isHour INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE rollup (
            dimension INTEGER NOT NULL,
            period INTEGER NOT NULL,
            key INTEGER NOT NULL,
            tag INTEGER NOT NULL,
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
            documentDeletes INTEGER NOT NULL,
            requestCount INTEGER NOT NULL,
            PRIMARY KEY (dimension, period, key, tag)
        ) WITHOUT ROWID;
        CREATE TABLE progress (rolledSequence INTEGER NOT NULL, coarsePeriod INTEGER NOT NULL);
        INSERT INTO progress VALUES (0, 0);
        """

    // Before, Security Rules were not judged.
    private static let ruleReads = """
        ALTER TABLE record ADD COLUMN ruleReads INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE rollup ADD COLUMN ruleReads INTEGER NOT NULL DEFAULT 0;
        """

    // Before, Authentication was billed for nothing.
    private static let usersAndMessages = ["record", "rollup"].flatMap { table in
        ["tier1ActiveUsers", "tier2ActiveUsers", "smsMessages"].map { column in
            "ALTER TABLE \(table) ADD COLUMN \(column) INTEGER NOT NULL DEFAULT 0;"
        }
    }.joined(separator: "\n")
}
