// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Documents whose bytes are damaged in the file: all that reads them says so, by name.
@Suite(.timeLimit(.minutes(5)))
struct DamagedDocumentTests {
    private static let damages: [[UInt8]] = [
        [0xFF], [0], [0x12, 0x05, 0x0A], Array(repeating: 0, count: 20), [0x12, 0x04, 0x0A, 0x01, 0x6E, 0x12],
    ]
    private static let message = """
        DATA_LOSS: The fields of the document c/b are damaged in the database file. Write the document again, delete it, \
        or restore a backup.
        """

    private let fixture: ListenFixture
    private var store: SQLiteDocumentStore { fixture.store }

    /// Three documents, of which the second is damaged once they are in the file, and in an index by `n` if wanted.
    private init(damage: [UInt8], isIndexed: Bool = false) throws {
        fixture = try ListenFixture()
        for (id, number) in [("a", 1), ("b", 2), ("c", 3)] { try fixture.set("c/\(id)", Int64(number)) }
        if isIndexed {
            try store.build([IndexShape(scope: .collection(CollectionPath(["c"])), parts: [Self.byNumber])], in: demo)
        }
        try store.damage("c/b", damage)
    }

    init() throws {
        try self.init(damage: [0xFF])
    }

    private static var byNumber: IndexShape.Part {
        IndexShape.Part(path: FieldPath(validated: ["n"]), mode: .ascending)
    }

    @Test(arguments: damages)
    func `fields of a damaged document are refused by name`(damage: [UInt8]) throws {
        let fixture = try Self(damage: damage)
        let document = try #require(try fixture.store.document("c/b"))
        #expect(refusal { _ = try document.fields } == Self.message)
        #expect(refusal { _ = try document.value(at: field("n")) } == Self.message)
        #expect(refusal { _ = try document.selecting(DocumentMask([try field("n")])) } == Self.message)
    }

    @Test(arguments: damages.dropLast())
    func `a damaged document is not sent as it is stored`(damage: [UInt8]) throws {
        let fixture = try Self(damage: damage)
        let document = try #require(try fixture.store.document("c/b"))
        #expect(refusal { _ = try document.sentFields } == Self.message)
        #expect(try fixture.store.document("c/a")?.sentFields == fixture.store.document("c/a")?.encodedFields.bytes)
    }

    @Test(arguments: damages, [false, true])
    func `queries that look into a damaged document are refused`(damage: [UInt8], isIndexed: Bool) throws {
        let store = try Self(damage: damage, isIndexed: isIndexed).store
        let number = try field("n")
        let names = try store.run(Query("c"), in: demo).documents.map(\.path.id)
        #expect(names == ["a", "b", "c"])
        for query in [
            Query("c", where: .field(number, .notIn, .array([.integer(7)])), orderBy: [Query.Ordering(number)]),
            Query("c", where: .or([.field(number, .equal, .integer(2)), .field(number, .equal, .integer(3))])),
        ] where !isIndexed {
            #expect(refusal { _ = try store.run(query, in: demo) } == Self.message)
        }
        var masked = Query("c")
        masked.projection = DocumentMask([number])
        #expect(refusal { _ = try store.run(masked, in: demo) } == Self.message)
    }

    @Test(arguments: damages)
    func `an index is not built without the entries of a damaged document`(damage: [UInt8]) throws {
        let store = try Self(damage: damage).store
        let shape = IndexShape(scope: .collection(try CollectionPath(["c"])), parts: [Self.byNumber])
        #expect(refusal { try store.build([shape], in: demo) } == Self.message)
        #expect(try store.storedEntries().isEmpty)
    }

    @Test(arguments: damages, [false, true])
    func `writing or deleting a damaged document heals it`(damage: [UInt8], isDeleted: Bool) throws {
        let store = try Self(damage: damage, isIndexed: true).store
        let merge = Write.set(try path("c/b"), fields: ["m": .integer(1)], mask: DocumentMask([try field("m")]))
        #expect(refusal { _ = try store.commit([merge], in: demo) } == Self.message)
        _ = try store.commit(
            [isDeleted ? .delete(path("c/b")) : .set(path("c/b"), fields: ["n": .integer(9)])],
            in: demo
        )
        try store.expectConsistentEntries()
        let documents = try store.run(Query("c", orderBy: [Query.Ordering(try field("n"))]), in: demo).documents
        #expect(documents.map(\.path.id) == (isDeleted ? ["a", "c"] : ["a", "c", "b"]))
    }

    @Test(arguments: damages)
    func `a listener that meets a damaged document ends`(damage: [UInt8]) async throws {
        let fixture = try Self(damage: damage).fixture
        let stream = fixture.hub.openStream(in: demo)
        let filter = Filter.field(try field("n"), .greaterThan, .integer(0))
        stream.add(ListenTarget(id: 1, .query(Query("c", where: filter))))
        let error = await #expect(throws: FirestoreError.self) {
            while try await stream.next() != nil {}
        }
        #expect(error?.code == .dataLoss)
        #expect(error?.message.contains("c/b") == true)
    }

    @Test(arguments: damages)
    func `a listener that never had a damaged document goes on when it is healed`(damage: [UInt8]) async throws {
        let fixture = try ListenFixture()
        for (id, number) in [("a", 1), ("b", 2), ("c", 3)] { try fixture.set("c/\(id)", Int64(number)) }
        let order = [Query.Ordering(try field("n"))]
        let streams = [
            try await fixture.open(.collection("c", where: try isAtLeast(3))),
            try await fixture.open(.collection("c", where: try isAtLeast(3), orderBy: order, limit: 5)),
        ]
        try fixture.store.damage("c/b", damage)
        try fixture.set("c/b", 9)
        for stream in streams { #expect(try await fixture.told(stream).contains("c/b=9 [1]")) }
    }

    @Test func `times beyond all bounds are refused`() throws {
        let manager = TransactionManager(store: store)
        for seconds in [Int64.min, -1, Int64.max] {
            #expect(
                refusal {
                    _ = try manager.begin(.readOnly(readTime: Timestamp(seconds: seconds)), in: demo)
                } != nil
            )
            #expect(refusal { _ = try store.get([path("c/a")], in: demo, at: Timestamp(seconds: seconds)) } != nil)
        }
    }
}

extension SQLiteDocumentStore {
    /// Replaces a document's fields in the file.
    fileprivate func damage(_ text: String, _ bytes: [UInt8]) throws {
        // All commits are in the file after a read of several documents.
        _ = try run(Query("none"), in: demo)
        let hexadecimal = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let id = try read { snapshot in
            try snapshot.row(of: path(text).collection, in: demo).flatMap { collection in
                try snapshot.db.storedDocument(at: path(text), in: collection)?.row
            }
        }
        try connections.write { db in
            try db.execute("UPDATE documents SET data = x'\(hexadecimal)' WHERE id = \(id ?? 0)")
        }
    }
}
