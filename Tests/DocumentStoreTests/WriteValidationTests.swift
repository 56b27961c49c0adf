// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct WriteValidationTests {
    private static func nested(_ depth: Int) -> Value {
        (0..<depth).reduce(.integer(1)) { value, _ in .map(["a": value]) }
    }

    private static let long = String(repeating: "x", count: 1_048_488)
    private static let longName = String(repeating: "k", count: 1_501)

    private static let fields: [([String: Value], String)] = [
        (["__a__": .null], "field name __a__ is reserved"),
        (["m": .map(["__a__": .null])], "field name '__a__' is reserved."),
        (["": .null], "The property.name is the empty string."),
        (["m": .map(["": .null])], "Property m contains an invalid nested entity."),
        ([longName: .null], "The property.name is longer than 1500 bytes."),
        (["m": .map([longName: .null])], "Property m contains an invalid nested entity."),
        (["m": .array([.array([])])], "Nested arrays are not allowed"),
        (["m": .array([.vector([1])])], "Cannot convert a vector value in an array value."),
        (["m": .vector([])], "Cannot have a zero length vector."),
        (["m": .vector(Array(repeating: 1, count: 2_049))], "Vectors must be at most 2048 dimensions."),
        (["a": nested(21)], "Property a contains an invalid nested entity."),
        (["s": .string(long)], "The value of property \"s\" is longer than 1048487 bytes."),
        (["m": .array([.string(long)])], "The value of property \"m\" is longer than 1048487 bytes."),
        (["m": .map(["s": .string(long)])], "Property m contains an invalid nested entity."),
        (["m": .map(["__type__": .string("x")])], "Property m contains an invalid nested entity."),
        (
            ["s": .string(String(repeating: "x", count: 1_000_000)), "t": .bytes(Array(repeating: 0, count: 50_000))],
            "maximum entity size is 1048576 bytes"
        ),
        (
            ["g": .geoPoint(GeoPoint(latitude: 91, longitude: 0))],
            "Geo point latitude '91.0' outside permitted range -90.0 to 90.0."
        ),
        (
            ["g": .geoPoint(GeoPoint(latitude: 0, longitude: 181))],
            "Geo point longitude '181.0' outside permitted range -180.0 to 180.0."
        ),
        (
            ["t": .timestamp(Timestamp(seconds: 253_402_300_800))],
            "A timestamp must lie within the years 0001 to 9999, its nanoseconds below a second."
        ),
    ]

    @Test func `refuses fields in the official emulator's words`() throws {
        let store = try makeStore()
        for (fields, message) in Self.fields {
            #expect(refusal { try store.put("w/a", fields) } == "INVALID_ARGUMENT: \(message)")
        }
        #expect(try store.document("w/a") == nil)
    }

    @Test func `accepts fields at the limits`() throws {
        let store = try makeStore()
        try store.put("w/a", ["a": Self.nested(20)])
        try store.put("w/a", [String(repeating: "k", count: 1_500): .null, "____": .null, "__": .null])
        try store.put("w/b", ["s": .string(String(Self.long.dropLast()))])
        try store.put("w/c", ["a": .array([.map(["a": .array([.integer(1)])])])])
    }

    @Test func `refuses transforms and masks in the known words`() throws {
        let store = try makeStore()
        let deep = try FieldPath(Array(repeating: "a", count: 21))
        let writes: [(Write, String)] = [
            (
                .transform(try path("w/a"), [FieldTransform(try field("i"), .increment(.string("s")))]),
                "Input must be a number."
            ),
            (
                .transform(try path("w/a"), [FieldTransform(try field("i"), .maximum(.null))]),
                "Input must be a number."
            ),
            (
                .transform(try path("w/a"), [FieldTransform(try field("__a__"), .serverTimestamp)]),
                "Invalid reserved name in field path __a__"
            ),
            (
                .transform(try path("w/a"), [FieldTransform(.documentID, .serverTimestamp)]),
                "Invalid reserved name in field path __name__"
            ),
            (
                .transform(try path("w/a"), [FieldTransform(try field("a"), .appendMissingElements([.array([])]))]),
                "Nested arrays are not allowed"
            ),
            (.set(try path("w/a"), fields: [:], mask: DocumentMask([deep])), "paths must have at most 20 elements"),
            (
                .delete(try path("w/a"), precondition: .updateTime(Timestamp(seconds: 1, nanoseconds: 1))),
                "timestamp cannot have more than microseconds precision"
            ),
        ]
        for (write, message) in writes {
            #expect(refusal { _ = try store.commit([write], in: demo) } == "INVALID_ARGUMENT: \(message)")
        }
    }

    @Test func `refuses masks without any document`() {
        for (path, message) in [
            ("__a__", "Invalid reserved name in field path __a__"), ("a.__name__", "the name __key__ is reserved"),
            (Array(repeating: "a", count: 21).joined(separator: "."), "paths must have at most 20 elements"),
        ] {
            #expect(refusal { _ = try DocumentMask(parsing: [path]) } == "INVALID_ARGUMENT: \(message)")
        }
    }

    @Test(
        "refuses to transform a field and one inside it",
        arguments: [(["m", "m.a"], "m"), (["a.b.c", "x", "a.b"], "a.b"), (["x.y.z", "x"], "x")]
    )
    func nestedTransforms(paths: [String], outer: String) throws {
        let store = try makeStore()
        let write = Write.transform(
            try path("w/a"),
            try paths.map { FieldTransform(try field($0), .increment(.integer(1))) }
        )
        #expect(
            refusal { _ = try store.commit([write], in: demo) }
                == "INVALID_ARGUMENT: Cannot transform property \(outer) and its nested property at the same time."
        )
    }

    @Test func `refuses to nest too deeply by a mask after the fact`() throws {
        let store = try makeStore()
        let twelve = try FieldPath(Array(repeating: "a", count: 12))
        let write = Write.transform(
            try path("w/a"),
            [FieldTransform(try FieldPath(twelve.segments + twelve.segments), .serverTimestamp)]
        )
        #expect(
            refusal { _ = try store.commit([write], in: demo) }
                == "INVALID_ARGUMENT: Property a contains an invalid nested entity."
        )
    }
}
