// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct BSONValidationTests {
    private static let valid: [Value] = [
        .minKey, .maxKey, .int32(42), .decimal("123.45"), .decimal("NaN"), .binary([0]), .binary([128, 1]),
        .bsonTime(1_700_000_000, 1), .objectID(String(repeating: "ab", count: 12)), .regex("^hello.*$", "i"),
        .array([.minKey]), .map(["inner": .int32(1)]),
    ]

    @Test(arguments: valid)
    func `stores the values as they come, but not in the default database`(value: Value) throws {
        let store = try makeStore()
        try store.put("b/a", ["v": value], in: enterprise)
        #expect(try store.fields("b/a", in: enterprise) == ["v": value])
        let message = try #require(refusal { try store.put("b/a", ["v": value]) })
        #expect(message.hasPrefix("INVALID_ARGUMENT: field name '__"))
        #expect(message.hasSuffix("__' is reserved."))
    }

    @Test(
        arguments: [
            (
                .regex("hello", "l"),
                "Invalid regex option 'l'. Supported options are 'i', 'm', 's', 'u', and 'x'."
            ),
            (
                .int32(1 << 31),
                "The field '__int__' value (2147483648) is too large to be converted to a 32-bit integer."
            ),
            (.bsonTime(-1, 0), "The field 'seconds' value (-1) does not represent an unsigned 32-bit integer."),
            (
                .bsonTime(0, 1 << 32),
                "The field 'increment' value (4294967296) does not represent an unsigned 32-bit integer."
            ),
            (.decimal("1.2.3"), "Invalid decimal128 string."),
            (.decimal(""), "Invalid decimal128 string."),
            (.decimal("1e6145"), "Invalid decimal128 string."),
            (.decimal(String(repeating: "1", count: 35)), "Invalid decimal128 string."),
            (.binary([]), "The field '__binary__' needs a byte for the subtype."),
            (.objectID("abc"), "Object ID hex string has incorrect length."),
            (.objectID(String(repeating: "x", count: 24)), "Object ID must be a hex string."),
            (.map(["__int__": .string("1")]), "field name '__int__' is reserved."),
            (.map(["__min__": .null, "a": .null]), "field name '__min__' is reserved."),
        ] as [(Value, String)]
    )
    func `refuses what is no such value`(value: Value, message: String) throws {
        let store = try makeStore()
        #expect(refusal { try store.put("b/a", ["v": value], in: enterprise) } == "INVALID_ARGUMENT: \(message)")
    }

    @Test func `refuses the values in filters on the default database`() throws {
        let query = Query("b", where: .field(try field("v"), .equal, .int32(1)))
        let store = try makeStore()
        #expect(
            refusal { _ = try store.run(query, in: demo) } == "INVALID_ARGUMENT: field name '__int__' is reserved."
        )
        #expect(refusal { _ = try store.run(query, in: enterprise) } == nil)
    }

    @Test(
        arguments: [
            ("inf", "Infinity"), ("-inf", "-Infinity"), ("+INFINITY", "Infinity"), ("nan", "NaN"), ("1.50", "1.50"),
        ]
    )
    func `spells special decimal numbers in one way`(text: String, normal: String) {
        #expect(Value.map(BSONForm.normalizing(["__decimal128__": .string(text)])) == .decimal(normal))
    }
}
