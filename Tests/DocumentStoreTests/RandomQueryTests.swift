// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Queries against an evaluator without indexes, on random documents that keep changing.
struct RandomQueryTests {
    /// Without any index, with one for every query, and with what there is by default.
    private let stores: [SQLiteDocumentStore]

    init() throws {
        self.stores = try [1_000_000, -1, nil].map { try makeStore(scanCountMax: $0) }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `answers like an evaluator without indexes`(seed: UInt64) throws {
        var random = try RandomQueries(seed: seed)
        var expected: [DocumentPath: Document] = [:]
        var answeredCount = 0
        var resultCount = 0
        for _ in 0..<4 {
            try change(&random, &expected)
            let evaluator = ReferenceQueries(database: demo, documents: Array(expected.values))
            for _ in 0..<70 {
                let query = try random.query()
                guard (try? query.validate()) != nil else { continue }
                let wanted = evaluator.run(query)
                answeredCount += 1
                resultCount += wanted.count
                guard try answer(query, wanted) else { return }
            }
        }
        #expect(answeredCount > 150)
        #expect(resultCount > 500)
        for store in stores {
            try store.expectConsistentEntries()
        }
        #expect(try stores[1].indexes().count > 20)
    }

    /// Compares the answers of all stores; returns whether they are right.
    private func answer(_ query: Query, _ wanted: [Document]) throws -> Bool {
        for (number, store) in stores.enumerated() {
            let documents = try store.run(query, in: demo).documents
            guard documents.map(\.path) == wanted.map(\.path) else {
                Issue.record("\(query)\ngave \(documents.map(\.path))\nnot \(wanted.map(\.path)) in \(number)")
                return false
            }
            #expect(documents.map(\.encodedFields) == wanted.map(\.encodedFields))
            #expect(try store.count(query, in: demo).count == wanted.count)
        }
        return true
    }

    private func change(_ random: inout RandomQueries, _ expected: inout [DocumentPath: Document]) throws {
        let writes = try random.documents(count: 60).map { Write.set($0.path, fields: $0.fields) }
        let deletions = try (0..<10).map { _ in Write.delete(try random.path()) }
        for store in stores {
            _ = try store.commit(writes + deletions, in: demo)
        }
        let paths = Array(expected.keys) + writes.map(\.path)
        expected = [:]
        for case .found(let document) in try stores[0].get(paths, in: demo).entries {
            expected[document.path] = document
        }
    }
}
