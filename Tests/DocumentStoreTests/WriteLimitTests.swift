// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Limits of writes and their preconditions (PM and FS-DATA-WRITE, recorded from production 2026-09).
struct WriteLimitTests {
    @Test(arguments: [(500, true), (501, false)])
    func `bounds the transforms of a write`(count: Int, isAccepted: Bool) throws {
        let store = try makeStore()
        let transform = FieldTransform(try field("n"), .increment(.integer(1)))
        let write = Write.transform(try path("w/a"), Array(repeating: transform, count: count))
        let message = "INVALID_ARGUMENT: cannot have more than 500 field transforms on a single document"
        #expect(refusal { _ = try store.commit([write], in: demo) } == (isAccepted ? nil : message))
    }

    @Test(arguments: [("w/a", 250, true), ("w/a", 251, false), ("w/b", 251, true)])
    func `bounds the transforms of all writes to a document`(second: String, count: Int, isAccepted: Bool) throws {
        let store = try makeStore()
        let transform = FieldTransform(try field("n"), .increment(.integer(1)))
        let writes = [
            Write.transform(try path("w/a"), Array(repeating: transform, count: 250)),
            Write.transform(try path(second), Array(repeating: transform, count: count)),
        ]
        let message = "INVALID_ARGUMENT: cannot have more than 500 field transforms on a single document"
        #expect(refusal { _ = try store.commit(writes, in: demo) } == (isAccepted ? nil : message))
    }

    @Test(arguments: [(6_127, true), (6_128, false)])
    func `bounds the document's name`(byteCount: Int, isAccepted: Bool) throws {
        let store = try makeStore()
        let parents = (0..<4).map { _ in "c/\(String(repeating: "d", count: 1_400))" }.joined(separator: "/")
        let id = String(repeating: "d", count: byteCount - parents.utf8.count - 3)
        let message = "INVALID_ARGUMENT: The document name is longer than 6144 bytes."
        #expect(refusal { try store.put("\(parents)/c/\(id)", [:]) } == (isAccepted ? nil : message))
    }

    @Test(arguments: [(749, true), (750, false)])
    func `bounds the path to a field`(byteCount: Int, isAccepted: Bool) throws {
        let store = try makeStore()
        let outer = String(repeating: "a", count: 750)
        let inner = String(repeating: "b", count: byteCount)
        let message = "INVALID_ARGUMENT: property path is longer than 1500 bytes."
        #expect(
            refusal { try store.put("w/a", [outer: .map([inner: .null])]) } == (isAccepted ? nil : message)
        )
    }

    @Test(
        "tells a version of the future from one of the past",
        arguments: [
            (-1, "FAILED_PRECONDITION: the stored"), (0, nil), (3_600, "INVALID_ARGUMENT: Invalid base version"),
        ]
            as [(Int64, String?)]
    )
    func comparesVersions(secondsAhead: Int64, refusal expected: String?) throws {
        let store = try makeStore()
        try store.put("w/a", [:])
        let stored = try #require(try store.document("w/a")).updateTime
        let required = Timestamp(microseconds: stored.microseconds + secondsAhead * 1_000_000)
        let write = Write.set(try path("w/a"), fields: ["n": .integer(1)], precondition: .updateTime(required))
        let message = refusal { _ = try store.commit([write], in: demo) }
        #expect((message == nil) == (expected == nil))
        #expect(message?.hasPrefix(expected ?? "") ?? true)
    }
}
