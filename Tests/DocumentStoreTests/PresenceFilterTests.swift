// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import TestSupport
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct PresenceFilterTests {
    private let other = DatabaseID(project: "demo", database: "other")

    @Test func `has every document inserted, and few others`() throws {
        let filter = PresenceFilter()
        let paths = try (0..<200_000).map { try path("c/document-\($0)") }
        #expect(!paths.contains { filter.mayContain($0, in: demo) })
        for path in paths.prefix(100_000) { filter.insert(path, in: demo) }
        #expect(paths.prefix(100_000).allSatisfy { filter.mayContain($0, in: demo) })
        #expect(paths.suffix(100_000).count { filter.mayContain($0, in: demo) } < 100)
        #expect(paths.count { filter.mayContain($0, in: other) } < 200)
    }

    @Test func `is not asked about documents from before it`() throws {
        let directory = TemporaryDirectory()
        for round in 0..<2 {
            let store = try SQLiteDocumentStore(location: directory.file, clock: { noon })
            let message = refusal { _ = try store.commit([.create(path("c/x"), fields: [:])], in: demo) }
            #expect((message == nil) == (round == 0))
            try store.close()
        }
    }
}
