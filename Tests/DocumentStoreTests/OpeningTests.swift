// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Testing

@testable import DocumentStore

struct OpeningTests {
    /// Runs with a directory of its own, removed afterwards.
    private func withDirectory(_ body: (URL) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "documents-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory)
    }

    private func open(_ directory: URL, at time: Timestamp = noon) throws -> SQLiteDocumentStore {
        try SQLiteDocumentStore(location: .file(directory.appending(path: "documents.sqlite")), clock: { time })
    }

    @Test func `a store opened again has everything`() throws {
        try withDirectory { directory in
            var random = try RandomQueries(seed: 31)
            let documents = try random.documents(count: 40)
            let store = try open(directory)
            _ = try store.commit(documents.map { .set($0.path, fields: $0.fields) }, in: demo)
            let before = try store.get(documents.map(\.path), in: demo).entries
            try store.close()
            let again = try open(directory)
            #expect(try again.get(documents.map(\.path), in: demo).entries == before)
            #expect(try !again.paths(Query("c")).isEmpty)
        }
    }

    @Test func `a clock that went back cannot make commits go back`() throws {
        try withDirectory { directory in
            let store = try open(directory)
            let last = try store.commit([.set(path("a/b"), fields: [:])], in: demo).commitTime
            try store.close()
            let again = try open(directory, at: Timestamp(seconds: 5))
            #expect(try again.get([], in: demo).readTime >= last)
            #expect(try again.commit([.delete(path("a/b"))], in: demo).commitTime > last)
        }
    }

    @Test(arguments: [(StoreDurability.full, 2), (.relaxed, 1)])
    func `commits are as durable as asked for`(durability: StoreDurability, pragma: Int) throws {
        try withDirectory { directory in
            let location = StoreLocation.file(directory.appending(path: "documents.sqlite"))
            let store = try SQLiteDocumentStore(location: location, clock: { noon }, durability: durability)
            let settings = try store.database.writeWithoutTransaction { db in
                try (Int.fetchOne(db, sql: "PRAGMA synchronous"), String.fetchOne(db, sql: "PRAGMA journal_mode"))
            }
            #expect(settings.0 == pragma)
            #expect(settings.1 == "wal")
        }
    }

    @Test func `says which file it cannot open and what to do`() throws {
        try withDirectory { directory in
            let file = directory.appending(path: "missing/documents.sqlite")
            let message = refusal { _ = try SQLiteDocumentStore(location: .file(file), clock: { noon }) }
            #expect(message?.hasPrefix("UNAVAILABLE: Cannot open the database file \(file.path): ") == true)
            #expect(message?.contains("must exist and be writable") == true)
        }
    }

    @Test func `refuses a file of a newer version`() throws {
        try withDirectory { directory in
            let store = try open(directory)
            try store.database.write { db in
                try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('9')")
            }
            try store.close()
            #expect(refusal { _ = try open(directory) }?.contains("was written by a newer version") == true)
        }
    }

    @Test func `refuses a file that is no database`() throws {
        try withDirectory { directory in
            let file = directory.appending(path: "documents.sqlite")
            try Data(repeating: 0x61, count: 5_000).write(to: file)
            #expect(refusal { _ = try open(directory) }?.hasPrefix("UNAVAILABLE: Cannot open") == true)
        }
    }
}
