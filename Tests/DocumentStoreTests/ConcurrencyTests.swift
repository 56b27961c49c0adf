// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import DocumentStore

@Suite(.timeLimit(.minutes(1)))
struct ConcurrencyTests {
    @Test func `increments from many threads all count`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "documents-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try SQLiteDocumentStore(
            location: .file(directory.appending(path: "documents.sqlite")),
            clock: { noon },
            durability: .relaxed
        )
        let write = Write.transform(try path("c/n"), [FieldTransform(try field("n"), .increment(.integer(1)))])
        let times = try await withThrowingTaskGroup(of: [Timestamp].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try (0..<25).map { _ in
                        let time = try store.commit([write], in: demo).commitTime
                        let read = try store.get([write.path], in: demo)
                        guard case .found(let document) = read.entries[0] else { throw CancellationError() }
                        #expect(document.updateTime <= read.readTime)
                        return time
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(try store.fields("c/n") == ["n": .integer(200)])
        #expect(Set(times).count == 200)
    }
}
