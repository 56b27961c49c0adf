// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct FieldTransformTests {
    private typealias Operation = FieldTransform.Operation

    private let store: SQLiteDocumentStore

    init() throws {
        self.store = try makeStore()
    }

    /// Stored value, transform, value afterwards; measured on the official emulator 1.19.9.
    private static let numbers: [(Value?, FieldTransform.Operation, Value)] = [
        (.integer(1), .increment(.integer(2)), .integer(3)),
        (.integer(3), .increment(.double(0.5)), .double(3.5)),
        (.double(1.5), .increment(.integer(1)), .double(2.5)),
        (.string("x"), .increment(.integer(7)), .integer(7)),
        (nil, .increment(.integer(3)), .integer(3)),
        (.integer(.max), .increment(.integer(1)), .integer(.max)),
        (.integer(.min), .increment(.integer(-1)), .integer(.min)),
        (.integer(.max), .increment(.double(1)), .double(0x1p63)),
        (nil, .maximum(.double(2.5)), .double(2.5)),
        (.string("x"), .minimum(.integer(2)), .integer(2)),
        (.integer(1), .maximum(.double(1)), .integer(1)),
        (.integer(1), .minimum(.double(1)), .integer(1)),
        (.integer(1), .maximum(.double(1.5)), .double(1.5)),
        (.integer(2), .minimum(.double(1.5)), .double(1.5)),
        (.double(0), .maximum(.double(-0.0)), .double(0)),
        (.double(.nan), .maximum(.integer(1)), .double(.nan)),
        (.integer(1), .minimum(.double(.nan)), .double(.nan)),
        (.integer(1), .maximum(.double(.nan)), .double(.nan)),
    ]

    @Test func `transforms numbers`() throws {
        for (stored, operation, expected) in Self.numbers {
            try store.put("w/a", stored.map { ["f": $0] } ?? [:])
            let write = Write.transform(try path("w/a"), [FieldTransform(try field("f"), operation)])
            #expect(try store.commit([write], in: demo).results[0].transformResults == [expected])
            #expect(try store.fields("w/a") == ["f": expected])
        }
    }

    private static let stored: [Value] = [.integer(1), .string("b"), .double(.nan), .null, .double(1)]

    private static let arrays: [(Value?, FieldTransform.Operation, [Value])] = [
        (
            .array(stored),
            .appendMissingElements([.double(1), .double(.nan), .null, .integer(9), .integer(9), .double(9)]),
            stored + [.integer(9)]
        ),
        (.array(stored), .removeAllFromArray([.double(1), .double(.nan)]), [.string("b"), .null]),
        (.integer(1), .appendMissingElements([.integer(1)]), [.integer(1)]),
        (.integer(1), .removeAllFromArray([.integer(1)]), []),
        (nil, .removeAllFromArray([.integer(1)]), []),
    ]

    @Test func `transforms arrays, answering null`() throws {
        for (stored, operation, expected) in Self.arrays {
            try store.put("w/a", stored.map { ["f": $0] } ?? [:])
            let write = Write.transform(try path("w/a"), [FieldTransform(try field("f"), operation)])
            #expect(try store.commit([write], in: demo).results[0].transformResults == [.null])
            #expect(try store.fields("w/a") == ["f": .array(expected)])
        }
    }

    @Test func `the request's time is the same in a whole commit, in milliseconds`() throws {
        let stamp = FieldTransform(try field("t"), .serverTimestamp)
        let result = try store.commit(
            [.transform(path("w/a"), [stamp]), .transform(path("w/b"), [stamp, stamp])],
            in: demo
        )
        let time = Value.timestamp(Timestamp(seconds: noon.seconds, nanoseconds: 123_000_000))
        #expect(result.results.map(\.transformResults) == [[time], [time, time]])
        #expect(try store.fields("w/b") == ["t": time])
    }

    @Test func `transforms follow the update and one another`() throws {
        try store.put("w/a", ["n": .integer(100), "keep": .null])
        let plusOne = FieldTransform(try field("n"), .increment(.integer(1)))
        let write = Write.set(
            try path("w/a"),
            fields: ["n": .integer(1)],
            mask: try DocumentMask(parsing: ["n"]),
            updateTransforms: [plusOne, plusOne]
        )
        #expect(try store.commit([write], in: demo).results[0].transformResults == [.integer(2), .integer(3)])
        #expect(try store.fields("w/a") == ["n": .integer(3), "keep": .null])
    }

    @Test func `makes maps on the way to a nested field`() throws {
        try store.put("w/a", ["b": .integer(1)])
        let write = Write.transform(
            try path("w/a"),
            [FieldTransform(try field("b.x.`y.z`"), .increment(.integer(1)))]
        )
        _ = try store.commit([write], in: demo)
        #expect(try store.fields("w/a") == ["b": .map(["x": .map(["y.z": .integer(1)])])])
    }
}
