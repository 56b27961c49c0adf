// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct DatabaseTests {
    let directory: TemporaryDirectory
    let path: ObjectPath

    init() throws {
        directory = TemporaryDirectory()
        path = try .named("a")
    }

    @Test(
        "synchronises as the durability demands",
        arguments: [(ObjectStoreConfiguration.Durability.full, 2), (.relaxed, 0)]
    )
    func synchronises(durability: ObjectStoreConfiguration.Durability, expected: Int) throws {
        let store = try SQLiteObjectStore(
            directory: directory.path,
            clock: { testTime },
            configuration: ObjectStoreConfiguration(durability: durability)
        )
        #expect(try store.writing { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == expected)
        #expect(try store.reading { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    }

    @Test func `stores nothing when the transaction fails`() throws {
        let store = try SQLiteObjectStore.make(directory)
        let stored = try store.put([1], at: path)
        let files = try directory.dataFiles()
        try store.writing {
            try $0.execute(
                sql: "CREATE TRIGGER refusal BEFORE INSERT ON object BEGIN SELECT RAISE(ABORT, 'injected'); END"
            )
        }
        let other = try #require(ObjectPath(bucket: "other", name: "b"))
        #expect(try errorCode { try store.put([2], at: path) } == .inputOutput)
        #expect(try errorCode { try store.put([2], at: other) } == .inputOutput)
        #expect(try errorCode { _ = try store.update(at: path) { $0.contentType = "text/plain" } } == .inputOutput)
        #expect(try store.metadata(at: path) == stored)
        #expect(try store.bytes(at: path) == [1])
        #expect(try store.bucket(named: other.bucket) == nil)
        #expect(try directory.dataFiles() == files)
    }

    @Test func `seeks in the tree of names`() throws {
        let store = try SQLiteObjectStore.make(directory)
        let plan = try store.reading { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + ObjectTable.selectLive, arguments: [1, "a", "b"])
                .map { $0["detail"] as String }
        }
        #expect(plan == ["SEARCH object USING PRIMARY KEY (bucketID=? AND name>? AND name<?)"])
    }
}
