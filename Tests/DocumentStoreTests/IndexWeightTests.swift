// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// The limits on index entries (recorded from production, 2026-09).
struct IndexWeightTests {
    private static func numbers(_ range: Range<Int64>) -> Value { .array(range.map { .integer($0) }) }

    @Test(
        arguments: [
            ("19,999 distinct elements", numbers(0..<19_999), true),
            ("20,000 distinct elements", numbers(0..<20_000), false),
            ("20,000 equal elements", .array(Array(repeating: .integer(1), count: 20_000)), true),
        ] as [(String, Value, Bool)]
    )
    func `counts distinct elements`(recording: String, value: Value, isAccepted: Bool) throws {
        let refused = refusal { try IndexWeight.validate(["a": value], at: path("w/a")) }
        #expect(refused == (isAccepted ? nil : "INVALID_ARGUMENT: too many index entries for entity /w/a"))
    }

    @Test func `bounds an entry and all entries together`() throws {
        let store = try makeStore()
        let long = try path((0..<3).map { "c/\($0)\(String(repeating: "d", count: 1_400))" }.joined(separator: "/"))
        let deep = try path("\(long)/c/\(String(repeating: "d", count: 400))")
        let message = "INVALID_ARGUMENT: an index entry for entity /\(deep) is larger than 7680 bytes"
        #expect(refusal { try store.put(deep.description, ["a": .integer(1)]) } == message)
        #expect(refusal { try store.put(deep.description, [:]) } == nil)
        #expect(refusal { try store.put(long.description, ["a": .integer(1)]) } == nil)
        let wide = [String: Value](uniqueKeysWithValues: (0..<2_000).map { ("f\($0)", .integer(1)) })
        let sum = "INVALID_ARGUMENT: the index entries for entity /\(long) are larger than 8388608 bytes together"
        #expect(refusal { try store.put(long.description, wide) } == sum)
    }

    @Test func `tells programs the reason`() {
        #expect(throws: FirestoreError.self) {
            try IndexWeight.validate(["a": Self.numbers(0..<20_000)], at: path("w/a"))
        }
        let document = DocumentPath(validated: ["w", "a"])
        #expect(FirestoreError.tooManyIndexEntries(of: document).reason == "INDEX_ENTRIES_COUNT_LIMIT_EXCEEDED")
    }
}
