// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DocumentStore

/// Queries against an evaluator without indexes, on random documents that keep changing.
struct RandomQueryTests {
    /// Without any index, with one for every query, and with what there is by default.
    @Test(arguments: [1, 2, 3, 4] as [UInt64], [1_000_000, -1, nil] as [Int?])
    func `answers like an evaluator without indexes`(seed: UInt64, scanCountMax: Int?) throws {
        var random = try RandomQueries(seed: seed)
        let store = try makeStore(scanCountMax: scanCountMax)
        var expected: [DocumentPath: Document] = [:]
        var answeredCount = 0
        var resultCount = 0
        for _ in 0..<4 {
            try change(store, &random, &expected)
            let evaluator = ReferenceQueries(database: demo, documents: Array(expected.values))
            for _ in 0..<150 {
                let query = try random.query()
                guard (try? query.validate()) != nil else { continue }
                let documents = try store.run(query, in: demo).documents
                let wanted = evaluator.run(query)
                answeredCount += 1
                resultCount += documents.count
                guard documents == wanted else {
                    Issue.record("\(query)\ngave \(documents.map(\.path))\nnot \(wanted.map(\.path))")
                    return
                }
                #expect(try store.count(query, in: demo).count == wanted.count)
            }
        }
        #expect(answeredCount > 300)
        #expect(resultCount > 1_000)
    }

    private func change(
        _ store: SQLiteDocumentStore,
        _ random: inout RandomQueries,
        _ expected: inout [DocumentPath: Document]
    ) throws {
        let writes = try random.documents(count: 60).map { Write.set($0.path, fields: $0.fields) }
        let deletions = try (0..<10).map { _ in Write.delete(try random.path()) }
        _ = try store.commit(writes + deletions, in: demo)
        let paths = Array(expected.keys) + writes.map(\.path)
        expected = [:]
        for case .found(let document) in try store.get(paths, in: demo).entries {
            expected[document.path] = document
        }
    }
}
