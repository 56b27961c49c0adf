// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
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
            ([.integer(.max), .integer(1), .integer(-1)], .integer(.max), .double(0x1p63 / 3)),
            ([.integer(.min), .integer(-1)], .double(-0x1p63), .double(-0x1p62)),
            ([.integer(.max), .double(1.5), .integer(.min)], .double(0.5), .double(0.5 / 3)),
            ([.integer(1), .integer(-9_007_199_254_740_993)], .integer(-9_007_199_254_740_992), .double(-0x1p52)),
            ([.double(0.1), .double(0.2), .double(0.3)], .double(0.6), .double(0.6 / 3)),
            ([.double(.infinity), .double(1)], .double(.infinity), .double(.infinity)),
            (
                [.double(.greatestFiniteMagnitude), .double(.greatestFiniteMagnitude)], .double(.infinity),
                .double(.infinity)
            ),
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

    @Test func `counts the nearest documents up to a limit, wherever they are in the query`() async throws {
        let fixture = try FirestoreFixture()
        await fixture.send("POST", "/cities?documentId=a")
        for id in ["b", "c"] {
            await fixture.send("POST", "/cities?documentId=\(id)", #"{"fields":{"v":\#(Self.vector)}}"#)
        }
        let response = await fixture.send(
            "POST",
            ":runAggregationQuery",
            #"""
            {"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"cities"}],"findNearest":{
             "vectorField":{"fieldPath":"v"},"queryVector":\#(Self.vector),"distanceMeasure":"EUCLIDEAN","limit":2}},
             "aggregations":[{"count":{"upTo":"1"}}]}}
            """#
        )
        #expect(response.text.contains(#"{"field_1":{"integerValue":"1"}}"#))
    }

    private static let vector =
        #"{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"#
        + #""value":{"arrayValue":{"values":[{"doubleValue":1}]}}}}}"#

    @Test func `finds fields within maps`() async throws {
        let document = Document(
            path: try DocumentPath(parsing: "a/b"),
            fields: ["a": .map(["b": .integer(1)]), "c": .integer(2)],
            createTime: Timestamp(seconds: 0),
            updateTime: Timestamp(seconds: 0)
        )
        #expect(try document.value(at: FieldPath(parsing: "a.b")) == .integer(1))
        #expect(try document.value(at: FieldPath(parsing: "c.b")) == nil)
        #expect(try document.value(at: FieldPath(parsing: "d")) == nil)
    }
}
