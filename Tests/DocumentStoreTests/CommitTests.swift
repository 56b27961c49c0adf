// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct CommitTests {
    private let store: SQLiteDocumentStore
    private let name = "projects/demo/databases/(default)/documents/w"

    init() throws {
        self.store = try makeStore()
    }

    @Test func `a set creates and later replaces`() throws {
        let created = try store.commit([.set(path("w/a"), fields: ["x": .integer(1)])], in: demo)
        let replaced = try store.commit([.set(path("w/a"), fields: ["y": .integer(2)])], in: demo)
        let document = try #require(try store.document("w/a"))
        #expect(try document.fields == ["y": .integer(2)])
        #expect(document.createTime == created.commitTime)
        #expect(document.updateTime == replaced.commitTime)
        #expect(replaced.commitTime > created.commitTime)
        #expect(created.billedWrites == 1)
    }

    @Test func `a set without effect keeps the update time`() throws {
        let first = try store.commit([.set(path("w/a"), fields: ["x": .integer(1)])], in: demo)
        let second = try store.commit([.set(path("w/a"), fields: ["x": .integer(1)])], in: demo)
        #expect(second.results == [WriteResult(updateTime: first.commitTime, transformResults: [])])
        #expect(second.commitTime > first.commitTime)
        #expect(second.billedWrites == 1)
        let third = try store.commit([.set(path("w/a"), fields: ["x": .double(1)])], in: demo)
        #expect(third.results[0].updateTime == third.commitTime)
    }

    @Test func `a mask changes its fields only and deletes those absent`() throws {
        try store.put("w/a", ["a": .map(["b": .integer(1), "c": .integer(2)]), "d": .integer(1)])
        let mask = try DocumentMask(parsing: ["a.b", "a.c", "x.y"])
        _ = try store.commit([.set(path("w/a"), fields: ["a": .map(["b": .integer(5)])], mask: mask)], in: demo)
        #expect(try store.fields("w/a") == ["a": .map(["b": .integer(5)]), "d": .integer(1)])
    }

    @Test(
        "applies masks like the official emulator",
        arguments: [
            (["d": Value.map(["e": .integer(1)])], "d.e", ["d": Value.map(["e": .integer(1)])]),
            ([:], "d.e", ["d": .integer(1)]),
            ([:], "p.q.r", ["d": .integer(1)]),
            (["zz": .integer(1)], "d", [:]),
            (["zz": .integer(1)], "__name__", ["d": .integer(1)]),
        ]
    )
    func masks(input: [String: Value], maskPath: String, expected: [String: Value]) throws {
        try store.put("w/a", ["d": .integer(1)])
        let mask = try DocumentMask(parsing: [maskPath])
        _ = try store.commit([.set(path("w/a"), fields: input, mask: mask)], in: demo)
        #expect(try store.fields("w/a") == expected)
    }

    @Test func `an empty mask creates but changes nothing`() throws {
        _ = try store.commit([.set(path("w/a"), fields: ["x": .null], mask: DocumentMask([]))], in: demo)
        #expect(try store.fields("w/a") == [:])
    }

    @Test func `preconditions refuse in production's words`() throws {
        try store.put("w/a", ["x": .integer(1)])
        let then = Timestamp(seconds: 1_577_836_800)
        let version = noon.microseconds
        let cases: [(Write, String)] = [
            (
                .set(try path("w/no"), fields: [:], precondition: .exists(true)),
                "NOT_FOUND: No document to update: \(name)/no"
            ),
            (.delete(try path("w/no"), precondition: .exists(true)), "NOT_FOUND: No document to update: \(name)/no"),
            (.create(try path("w/a"), fields: [:]), "ALREADY_EXISTS: Document already exists: \(name)/a"),
            (
                .delete(try path("w/a"), precondition: .exists(false)),
                "ALREADY_EXISTS: Document already exists: \(name)/a"
            ),
            (
                .set(try path("w/a"), fields: [:], precondition: .updateTime(then)),
                """
                FAILED_PRECONDITION: the stored version (\(version)) does not match \
                the required base version (1577836800000000)
                """
            ),
            (
                .delete(try path("w/no"), precondition: .updateTime(then)),
                """
                FAILED_PRECONDITION: the stored version (0) does not match \
                the required base version (1577836800000000)
                """
            ),
        ]
        for (write, message) in cases {
            #expect(refusal { _ = try store.commit([write], in: demo) } == message)
        }
        #expect(try store.fields("w/a") == ["x": .integer(1)])
    }

    @Test func `preconditions that hold let the write through`() throws {
        let created = try store.commit([.create(path("w/a"), fields: [:])], in: demo)
        let write = Write.set(
            try path("w/a"),
            fields: ["x": .integer(1)],
            precondition: .updateTime(created.commitTime)
        )
        _ = try store.commit([write, .delete(path("w/a"), precondition: .exists(true))], in: demo)
        #expect(try store.document("w/a") == nil)
    }

    @Test func `a failing precondition stores nothing`() throws {
        let writes = [
            Write.set(try path("w/a"), fields: ["x": .integer(1)]), .create(try path("new/b"), fields: [:]),
            .delete(try path("w/no"), precondition: .exists(true)),
        ]
        #expect(throws: FirestoreError.self) { try store.commit(writes, in: demo) }
        #expect(try store.document("w/a") == nil)
        #expect(try store.collectionIDs(under: nil, in: demo) == [])
    }

    @Test func `writes to one document add up and count once`() throws {
        let mask = try DocumentMask(parsing: ["b"])
        let writes = [
            Write.set(try path("w/a"), fields: ["a": .integer(1)]),
            .set(try path("w/a"), fields: ["b": .integer(1)], mask: mask, precondition: .exists(true)),
        ]
        let result = try store.commit(writes, in: demo)
        #expect(try store.fields("w/a") == ["a": .integer(1), "b": .integer(1)])
        #expect(result.results.map(\.updateTime) == [result.commitTime, result.commitTime])
        let reverted = try store.commit(
            [
                .set(path("w/a"), fields: [:]),
                .set(path("w/a"), fields: ["a": .integer(1), "b": .integer(1)]),
            ],
            in: demo
        )
        #expect(reverted.results.map(\.updateTime) == [result.commitTime, result.commitTime])
        #expect(reverted.billedWrites == 2)
    }

    @Test func `a document deleted and set again is a new one`() throws {
        try store.put("w/a", [:])
        let result = try store.commit([.delete(path("w/a")), .set(path("w/a"), fields: [:])], in: demo)
        #expect(try store.document("w/a")?.createTime == result.commitTime)
        #expect(result.results.map(\.updateTime) == [result.commitTime, result.commitTime])
        #expect(result.billedDeletes == 1)
        let deleted = try store.commit([.set(path("w/a"), fields: ["x": .null]), .delete(path("w/a"))], in: demo)
        #expect(deleted.results.map(\.updateTime) == [nil, nil])
    }

    @Test func `deletes a missing document without complaint`() throws {
        let result = try store.commit([.delete(path("w/no"))], in: demo)
        #expect(result.results == [WriteResult(updateTime: nil, transformResults: [])])
        #expect(result.billedDeletes == 1)
    }

    @Test func `times are cut to microseconds`() throws {
        let precise = Timestamp(seconds: 5, nanoseconds: 123_456_789)
        try store.put("w/a", ["t": .timestamp(precise)])
        #expect(try store.fields("w/a") == ["t": .timestamp(Timestamp(seconds: 5, nanoseconds: 123_456_000))])
    }

    @Test func `databases are separate`() throws {
        let other = DatabaseID(project: "demo", database: "other")
        try store.put("w/a", ["x": .integer(1)])
        try store.put("w/a", ["x": .integer(2)], in: other)
        try store.deleteAll(in: demo)
        #expect(try store.document("w/a") == nil)
        #expect(try store.paths(Query("w")) == [])
        #expect(try store.fields("w/a", in: other) == ["x": .integer(2)])
        #expect(try store.paths(Query("w"), in: other) == ["w/a"])
        try store.put("w/a", ["x": .integer(3)])
        #expect(try store.paths(Query("w")) == ["w/a"])
    }

    @Test func `databases are told apart by bytes, not by how they look`() throws {
        let composed = DatabaseID(project: "caf\u{E9}")
        let decomposed = DatabaseID(project: "cafe\u{301}")
        try store.put("w/a", ["x": .integer(1)], in: composed)
        #expect(try store.fields("w/a", in: composed) == ["x": .integer(1)])
        #expect(try store.document("w/a", in: decomposed) == nil)
    }

    @Test func `collections are separate, also when read in turn`() throws {
        let other = DatabaseID(project: "demo", database: "other")
        let places = [("w/a", demo), ("v/a", demo), ("w/b/w/a", demo), ("w/c/w/a", demo), ("w/a", other)]
        for (number, (path, database)) in places.enumerated() {
            try store.put(path, ["n": .integer(Int64(number))], in: database)
        }
        for _ in 0..<2 {
            for (number, (path, database)) in places.enumerated() {
                #expect(try store.fields(path, in: database) == ["n": .integer(Int64(number))])
            }
            #expect(try store.fields("w/c/v/a") == nil)
        }
    }

    @Test func `a verification checks and changes nothing`() throws {
        try store.put("w/a", ["x": .integer(1)])
        let version = try #require(try store.document("w/a")).updateTime
        let result = try store.commit(
            [
                .verify(path("w/a"), precondition: .updateTime(version)),
                .verify(path("w/no"), precondition: .exists(false)),
            ],
            in: demo
        )
        #expect(result.results.map(\.updateTime) == [version, nil])
        #expect(result.billedWrites == 0 && result.billedDeletes == 0)
        #expect(try store.document("w/a")?.updateTime == version)
        let writes = [
            Write.set(try path("w/b"), fields: [:]), .verify(try path("w/a"), precondition: .exists(false)),
        ]
        let message = "ALREADY_EXISTS: Document already exists: \(name)/a"
        #expect(refusal { _ = try store.commit(writes, in: demo) } == message)
        #expect(try store.document("w/b") == nil)
    }

    @Test func `a commit hands back the documents it leaves`() throws {
        try store.put("w/a", ["x": .integer(1)])
        let result = try store.commit(
            [
                .transform(path("w/a"), [FieldTransform(field("x"), .increment(.integer(1)))]),
                .set(path("w/b"), fields: ["y": .null]), .delete(path("w/b")), .delete(path("w/no")),
            ],
            in: demo
        )
        #expect(result.documents == [try store.document("w/a"), nil, nil, nil])
        #expect(try result.documents[0]?.fields == ["x": .integer(2)])
    }
}
