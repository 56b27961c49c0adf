// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

@Suite struct `The documents at a place` {
    private static let all = [
        "c/a", "c/a/d/x", "c/a/d/x/e/y", "c/a/f/z", "c/a2/d/x", "c/b", "c2/a/d/x", "d/c/c/a", "c/__id7__/d/x",
        "c/a b/d/x",
    ]

    private func paths(at place: String, from first: String? = nil, upTo count: Int = .max) throws -> [String] {
        let store = try makeStore()
        for path in Self.all { try store.put(path, ["n": .integer(1)]) }
        var paths: [String] = []
        try store.scanning { scan in
            try scan.visitPaths(
                at: place.split(separator: "/").map(String.init),
                of: demo,
                from: first.map { try CollectionPath(parsing: $0) }
            ) { path, byteCount in
                #expect(byteCount > 0)
                paths.append(path.description)
                return paths.count < count
            }
        }
        return paths
    }

    @Test(arguments: [
        ("c/a", ["c/a/d/x", "c/a/d/x/e/y", "c/a/f/z", "c/a"]), ("c/a/d", ["c/a/d/x", "c/a/d/x/e/y"]),
        ("c/a/d/x", ["c/a/d/x/e/y", "c/a/d/x"]), ("c/a2", ["c/a2/d/x"]), ("c/b", ["c/b"]),
        ("c/__id7__", ["c/__id7__/d/x"]),
        ("c/a b", ["c/a b/d/x"]), ("c2", ["c2/a/d/x"]), ("d", ["d/c/c/a"]), ("nothing", []), ("c/nothing", []),
        ("c/a/nothing", []), ("c/../..", []),
    ])
    func `are those below it, and it itself as the last`(place: String, expected: [String]) throws {
        #expect(try paths(at: place) == expected)
    }

    @Test func `of a collection are all below it`() throws {
        #expect(try Set(paths(at: "c")) == Set(Self.all.filter { $0.hasPrefix("c/") }))
    }

    @Test func `may begin with a collection, and end early`() throws {
        #expect(try paths(at: "c/a", from: "c/a/d/x/e") == ["c/a/d/x/e/y", "c/a/f/z", "c/a"])
        #expect(try paths(at: "c/a", from: "c") == paths(at: "c/a"))
        #expect(try paths(at: "c/a", upTo: 3) == ["c/a/d/x", "c/a/d/x/e/y", "c/a/f/z"])
    }

    @Test func `are not those of another database`() throws {
        let store = try makeStore()
        try store.put("c/a", [:])
        let other = DatabaseID(project: "demo", database: "other")
        try store.scanning { scan in
            try scan.visitPaths(at: ["c"], of: other) { path, _ in
                Issue.record("\(path)")
                return true
            }
        }
    }
}
