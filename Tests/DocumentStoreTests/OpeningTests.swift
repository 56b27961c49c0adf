// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Foundation
import TestSupport
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct OpeningTests {
    private let directory: TemporaryDirectory

    init() throws {
        self.directory = TemporaryDirectory()
    }

    private func open(at time: Timestamp = noon) throws -> SQLiteDocumentStore {
        try SQLiteDocumentStore(location: directory.file, clock: { time })
    }

    @Test func `a store opened again has everything`() throws {
        var random = try RandomQueries(seed: 31)
        let documents = try random.documents(count: 40)
        let store = try open()
        _ = try store.commit(documents.map { .set($0.path, fields: $0.fields) }, in: demo)
        let before = try store.get(documents.map(\.path), in: demo).entries
        try store.close()
        let again = try open()
        #expect(try again.get(documents.map(\.path), in: demo).entries == before)
        #expect(try !again.paths(Query("c")).isEmpty)
    }

    @Test func `a clock that went back cannot make commits go back`() throws {
        let store = try open()
        let last = try store.commit([.set(path("a/b"), fields: [:])], in: demo).commitTime
        try store.close()
        let again = try open(at: Timestamp(seconds: 5))
        #expect(try again.get([], in: demo).readTime >= last)
        #expect(try again.commit([.delete(path("a/b"))], in: demo).commitTime > last)
    }

    @Test(arguments: [(StoreDurability.full, 2), (.deferred, 0)] as [(StoreDurability, Int64)])
    func `commits are as durable as asked for`(durability: StoreDurability, pragma: Int64) throws {
        let store = try SQLiteDocumentStore(location: directory.file, clock: { noon }, durability: durability)
        let (synchronous, isLogged) = try store.connections.write { db in
            (
                try db.value("PRAGMA synchronous"),
                try db.value("SELECT journal_mode = 'wal' FROM pragma_journal_mode")
            )
        }
        #expect(synchronous == pragma)
        #expect(isLogged == 1)
    }

    @Test func `says which file it cannot open and what to do`() throws {
        let file = directory.url.appending(path: "missing/documents.sqlite")
        let message = refusal { _ = try SQLiteDocumentStore(location: .file(file), clock: { noon }) }
        #expect(message?.hasPrefix("UNAVAILABLE: Cannot open the database file \(file.path): ") == true)
        #expect(message?.contains("must exist and be writable") == true)
    }

    @Test func `refuses files of other versions`() throws {
        let store = try open()
        try store.connections.write { try $0.execute("PRAGMA user_version = 3") }
        try store.close()
        #expect(refusal { _ = try open() }?.contains("was written by a newer version") == true)
        try changeFile("PRAGMA user_version = 1")
        #expect(refusal { _ = try open() }?.contains("was written by an older version") == true)
        // As version 1 left it.
        try changeFile("PRAGMA user_version = 0")
        #expect(refusal { _ = try open() }?.contains("was written by an older version") == true)
    }

    private func changeFile(_ sql: String) throws {
        try SQLiteConnection(path: directory.url.appending(path: "documents.sqlite").path).execute(sql)
    }

    @Test func `refuses a file that is no database`() throws {
        let file = directory.url.appending(path: "documents.sqlite")
        try Data(repeating: 0x61, count: 5_000).write(to: file)
        #expect(refusal { _ = try open() }?.hasPrefix("UNAVAILABLE: Cannot open") == true)
    }

    @Test func `a closed store says so`() throws {
        let store = try open()
        try store.close()
        #expect(refusal { _ = try store.get([], in: demo) } == "UNAVAILABLE: The database is closed.")
        #expect(refusal { try store.put("a/b", [:]) } == "UNAVAILABLE: The database is closed.")
    }
}
