// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import Testing

@testable import FirestoreServer

struct AggregationTests {
    @Test(
        arguments: [
            ([], .integer(0), .null),
            ([.integer(1), .integer(2)], .integer(3), .double(1.5)),
            ([.integer(1), .double(0.5)], .double(1.5), .double(0.75)),
            ([.integer(1), .string("2"), .null], .integer(1), .double(1)),
            ([.integer(.max), .integer(1)], .double(0x1p63), .double(0x1p62)),
            ([.integer(.max), .integer(1), .integer(-1)], .double(0x1p63), .double(0x1p63 / 3)),
            ([.double(.nan), .integer(1)], .double(.nan), .double(.nan)),
        ] as [([Value], Value, Value)]
    )
    func `sums numbers`(values: [Value], total: Value, average: Value) async {
        var sum = NumberSum()
        for value in values { sum.add(value) }
        #expect(sum.total == total)
        #expect(sum.average == average)
    }

    @Test(
        arguments: [
            (#""limit":2"#, 2, 5), (#""limit":0"#, 0, 0), (#""offset":1"#, 2, 7), (#""offset":1,"limit":1"#, 1, 3),
        ] as [(String, Int, Int)]
    )
    func `honours limit and offset among the documents that have the field`(
        window: String,
        count: Int,
        sum: Int
    ) async throws {
        let fixture = try FirestoreFixture()
        await fixture.addCities(["b": 2, "c": 3, "d": 4])
        await fixture.send("POST", "/cities?documentId=a")
        let response = await fixture.send(
            "POST",
            ":runAggregationQuery",
            #"""
            {"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"cities"}],\#(window)},
             "aggregations":[{"alias":"n","count":{}},{"alias":"s","sum":{"field":{"fieldPath":"pop"}}}]}}
            """#
        )
        #expect(response.text.contains(#"{"n":{"integerValue":"\#(count)"},"s":{"integerValue":"\#(sum)"}}"#))
    }

    @Test func `finds fields within maps`() async throws {
        let document = Document(
            path: try DocumentPath(parsing: "a/b"),
            fields: ["a": .map(["b": .integer(1)]), "c": .integer(2)],
            createTime: Timestamp(seconds: 0),
            updateTime: Timestamp(seconds: 0)
        )
        #expect(document.value(at: try FieldPath(parsing: "a.b")) == .integer(1))
        #expect(document.value(at: try FieldPath(parsing: "c.b")) == nil)
        #expect(document.value(at: try FieldPath(parsing: "d")) == nil)
    }
}
