// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Listeners during imports: each is reset and receives everything.
@Suite(.timeLimit(.minutes(5))) struct ImportListeningTests {
    private let store: SQLiteDocumentStore
    private let hub: ListenHub

    init() throws {
        store = try makeStore()
        hub = try ListenHub(store: store)
    }

    private func put(_ numbers: [String: Int64], in database: DatabaseID = demo) throws {
        try store.importing { target in
            for (text, number) in numbers {
                try target.put(path(text), fields: EncodedFields(["n": .integer(number)]), in: database)
            }
        }
    }

    /// The events up to the next snapshot that has documents or a reset.
    private func told(_ stream: ListenStream) async throws -> [String] {
        var texts: [String] = []
        while let batch = try await stream.next() {
            texts += batch.texts
            if texts.last == "SNAPSHOT", texts.count > 1 { break }
        }
        return texts
    }

    @Test(arguments: [
        ListenTarget.Content.collection("c"), .collection("c", limit: 5),
    ])
    func `a query starts over`(content: ListenTarget.Content) async throws {
        try store.put("c/a", ["n": .integer(1)])
        try store.put("c/b", ["n": .integer(2)])
        let stream = hub.openStream(in: demo)
        stream.add(ListenTarget(id: 1, content))
        _ = try await told(stream)
        try put(["c/a": 10, "c/c": 3])
        let texts = try await told(stream)
        #expect(texts.first == "RESET 1")
        #expect(texts.filter { $0.hasPrefix("c/") } == ["c/a=10 [1]", "c/b=2 [1]", "c/c=3 [1]"])
        try store.put("c/d", ["n": .integer(4)])
        #expect(try await told(stream).contains("c/d=4 [1]"))
    }

    @Test func `documents by name are sent again`() async throws {
        let stream = hub.openStream(in: demo)
        stream.add(ListenTarget(id: 1, .documents([try path("c/a"), try path("c/b")])))
        _ = try await told(stream)
        try put(["c/a": 10])
        let texts = try await told(stream)
        #expect(texts.contains("c/a=10 [1]"))
    }

    @Test func `a token from before the import receives everything`() async throws {
        try store.put("c/a", ["n": .integer(1)])
        let first = hub.openStream(in: demo)
        first.add(ListenTarget(id: 1, .collection("c")))
        let token = try #require(try await first.next()?.lastToken)
        first.close()
        try put(["c/b": 2])
        let second = hub.openStream(in: demo)
        second.add(ListenTarget(id: 1, .collection("c"), start: .token(token)))
        let texts = try await told(second)
        #expect(texts.contains("RESET 1"))
        #expect(texts.contains("c/a=1 [1]"))
        #expect(texts.contains("c/b=2 [1]"))
    }

    @Test func `other databases and imports without effect stay quiet`() async throws {
        try store.put("c/a", ["n": .integer(1)])
        let stream = hub.openStream(in: demo)
        stream.add(ListenTarget(id: 1, .collection("c")))
        _ = try await told(stream)
        try put(["c/a": 1])
        try put(["c/a": 7], in: DatabaseID(project: "demo", database: "other"))
        try store.put("c/z", ["n": .integer(9)])
        let texts = try await told(stream)
        #expect(!texts.contains("RESET 1"))
        #expect(texts.contains("c/z=9 [1]"))
    }
}
