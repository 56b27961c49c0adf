// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Work of the writer that changes no document, so that observers are not informed of it.
enum QuietWork: CaseIterable {
    case builtIndex
    case refusedCommit
    case turn

    func run(in store: SQLiteDocumentStore) throws {
        switch self {
        case .builtIndex:
            _ = try store.run(Query("c", orderBy: [Query.Ordering(try field("n"))]), in: demo)
            #expect(try store.read { !$0.catalog.members.isEmpty })
        case .refusedCommit:
            #expect(refusal { _ = try store.commit([.create(path("c/a"), fields: [:])], in: demo) } != nil)
        case .turn:
            try store.writer.waitForTurn()
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct ListenQuietTests {
    @Test(arguments: QuietWork.allCases, [StoreDurability.deferred, .full])
    func `a snapshot does not wait for the next commit`(work: QuietWork, durability: StoreDurability) async throws {
        var indexLimits = IndexLimits()
        indexLimits.scanCountMax = 0
        let fixture = try ListenFixture(durability: durability, indexLimits: indexLimits)
        try fixture.set("c/a", 1)
        try work.run(in: fixture.store)
        let stream = fixture.hub.openStream(in: demo)
        stream.add(ListenTarget(id: 1, .collection("quiet")))
        try #require(try await stream.next()?.texts == ["ADD 1", "CURRENT 1", "SNAPSHOT"])
        #expect(try await fixture.told(stream) == ["SNAPSHOT"])
    }
}
