// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import NIOConcurrencyHelpers
import Testing

@testable import FirestoreServer

@Suite(.timeLimit(.minutes(5))) struct `Clearing a place` {
    private let fixture: FirestoreFixture
    private let commits = Commits()

    init() throws { fixture = try FirestoreFixture() }

    private func put(_ paths: [String], text: String = "") throws {
        let database = DatabaseID(project: "demo")
        for part in stride(from: 0, to: paths.count, by: 10_000) {
            let writes = try paths[part..<min(part + 10_000, paths.count)].map { path in
                Write.set(try DocumentPath(parsing: path), fields: ["text": .string(text)])
            }
            _ = try fixture.store.commit(writes, in: database)
        }
        fixture.store.addObserver(commits)
    }

    private func clear(_ place: String) async {
        let answer = await fixture.send(RESTRequest("DELETE", "/emulator/v1/\(FirestoreFixture.documents)/\(place)"))
        #expect(answer.text == "{}")
    }

    private func documents() throws -> Set<String> {
        var paths: Set<String> = []
        try fixture.store.scanning { scan in
            try scan.visitDocuments(of: DatabaseID(project: "demo")) { path, _ in paths.insert(path.description) }
        }
        return paths
    }

    @Test func `deletes all at once, as observers see it`() async throws {
        let below = (0..<DocumentBatch.documentCountMax - 1).map { "c/a/d/\($0)" }
        try put(below + ["c/a", "c/b"])
        await clear("c/a")
        #expect(try documents() == ["c/b"])
        #expect(commits.deleted.map(\.count) == [DocumentBatch.documentCountMax])
    }

    @Test func `deletes a large place in several commits, its document last`() async throws {
        let below = (0..<DocumentBatch.documentCountMax * 2).map { "c/a/d\($0 % 7)/\($0)" }
        try put(below + ["c/a", "c/a/d1/x/e/y", "c/b"])
        await clear("c/a")
        #expect(try documents() == ["c/b"])
        #expect(commits.deleted.map(\.count) == [DocumentBatch.documentCountMax, DocumentBatch.documentCountMax, 2])
        #expect(commits.deleted.last?.last == "c/a")
    }

    @Test func `holds few large documents at once`() async throws {
        let text = String(repeating: "x", count: 1_000_000)
        for number in 0..<40 { try put(["c/\(number)"], text: text) }
        commits.forget()
        await clear("c")
        #expect(try documents().isEmpty)
        #expect(Set(commits.deleted.flatMap(\.self)).count == 40)
        #expect(commits.deleted.allSatisfy { $0.count <= 20 })
    }

    @Test func `of what is not there changes nothing`() async throws {
        try put(["c/a"])
        for place in ["d", "c/b", "c/a/d", "c/.."] { await clear(place) }
        #expect(try documents() == ["c/a"])
        #expect(commits.deleted.isEmpty)
    }
}

/// The paths that commits delete.
private final class Commits: ChangeObserving {
    private let state = NIOLockedValueBox<[[String]]>([])

    var deleted: [[String]] { state.withLockedValue(\.self) }

    func forget() { state.withLockedValue { $0 = [] } }

    func didCommit(_ changes: CommittedChanges) {
        guard case .documents(let documents) = changes.content else { return }
        state.withLockedValue { $0.append(documents.filter { $0.after == nil }.map(\.path.description)) }
    }
}
