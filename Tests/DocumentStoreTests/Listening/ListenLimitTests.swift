// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

@Suite(.timeLimit(.minutes(5)))
struct ListenLimitTests {
    private let fixture: ListenFixture

    init() throws {
        self.fixture = try ListenFixture()
        for (index, id) in ["a", "b", "c", "d", "e", "f", "g"].enumerated() {
            try fixture.set("c/\(id)", Int64(index + 1) * 10)
        }
    }

    /// Writes (a number, or `nil` to delete), and what the first three by number are reported to be.
    private static let cases: [([(String, Int64?)], [String])] = [
        ([("c/x", 5)], ["c/x=5 [1]", "c/c removed -[1]"]),
        ([("c/x", 35)], []),
        ([("c/x", 25)], ["c/x=25 [1]", "c/c removed -[1]"]),
        ([("c/b", nil)], ["c/d=40 [1]", "c/b deleted -[1]"]),
        ([("c/b", 99)], ["c/d=40 [1]", "c/b=99 [] -[1]"]),
        ([("c/b", 31)], ["c/b=31 [1]"]),
        ([("c/d", 41)], []),
        ([("c/d", 1)], ["c/d=1 [1]", "c/c removed -[1]"]),
        ([("c/c", 40)], ["c/c=40 [1]"]),
        (
            [("c/a", nil), ("c/b", nil), ("c/c", nil), ("c/d", nil), ("c/e", nil)],
            [
                "c/f=60 [1]", "c/g=70 [1]", "c/a deleted -[1]", "c/b deleted -[1]", "c/c deleted -[1]",
            ]
        ),
    ]

    @Test(arguments: cases)
    func `the window keeps only what is in it`(writes: [(String, Int64?)], expected: [String]) async throws {
        let stream = try await fixture.open(
            .collection("c", orderBy: [Query.Ordering(try field("n"))], limit: 3)
        )
        for (path, number) in writes {
            if let number { try fixture.set(path, number) } else { try fixture.delete(path) }
        }
        #expect(Set(try await fixture.told(stream)) == Set(expected + ["SNAPSHOT"]))
    }

    @Test func `a reversed limit keeps the last`() async throws {
        let stream = try await fixture.open(
            .collection("c", orderBy: [Query.Ordering(try field("n"), .descending)], limit: 2)
        )
        try fixture.set("c/x", 65)
        #expect(try await fixture.told(stream) == ["c/x=65 [1]", "c/f removed -[1]", "SNAPSHOT"])
    }

    @Test func `names decide between equals`() async throws {
        let stream = try await fixture.open(
            .collection("c", orderBy: [Query.Ordering(try field("n"))], limit: 1)
        )
        try fixture.set("c/aa", 10)
        try fixture.set("c/A", 10)
        #expect(try await fixture.told(stream) == ["c/A=10 [1]", "c/a removed -[1]", "SNAPSHOT"])
    }

    @Test func `an offset moves the window`() async throws {
        var query = Query("c", orderBy: [Query.Ordering(try field("n"))], limit: 2)
        query.offset = 2
        let stream = try await fixture.open(.query(query))
        try fixture.set("c/x", 1)
        #expect(try await fixture.told(stream) == ["c/b=20 [1]", "c/d removed -[1]", "SNAPSHOT"])
        try fixture.delete("c/x")
        #expect(try await fixture.told(stream) == ["c/d=40 [1]", "c/b removed -[1]", "SNAPSHOT"])
    }

    @Test func `cursors bound the window`() async throws {
        var query = Query("c", orderBy: [Query.Ordering(try field("n"))], limit: 2)
        query.startAt = Query.Cursor(values: [.integer(20)], before: false)
        query.endAt = Query.Cursor(values: [.integer(50)], before: true)
        let stream = try await fixture.open(.query(query))
        try fixture.set("c/x", 20)
        try fixture.set("c/y", 21)
        try fixture.delete("c/c")
        #expect(try await fixture.told(stream) == ["c/y=21 [1]", "c/c deleted -[1]", "SNAPSHOT"])
        try fixture.delete("c/d")
        #expect(try await fixture.told(stream) == ["c/d deleted -[1]", "SNAPSHOT"])
    }

    @Test func `a limit of nothing stays empty`() async throws {
        let stream = try await fixture.open(.collection("c", limit: 0))
        try fixture.set("c/0", 1)
        #expect(try await fixture.told(stream) == ["SNAPSHOT"])
    }

    @Test func `refills are as of their commit, whatever came after`() async throws {
        let stream = try await fixture.open(.collection("c", limit: 1))
        try fixture.delete("c/a")
        try fixture.delete("c/b")
        try fixture.delete("c/c")
        try fixture.set("c/a", 1)
        try fixture.delete("c/d")
        #expect(try await fixture.told(stream) == ["c/a=1 [1]", "SNAPSHOT"])
    }
}
