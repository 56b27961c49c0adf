// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import Metering
import Testing

/// The bill of requests (firebase.google.com/docs/firestore/pricing, 2026-11), on five cities.
struct BillingTests {
    struct Bill: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let step: GoldenAnswer.Step
        var reads: Int64 = 0
        var writes: Int64 = 0
        var deletes: Int64 = 0
    }

    private static func query(_ rest: String) -> GoldenAnswer.Step {
        .init("POST", ":runQuery", #"{"structuredQuery":{"from":[{"collectionId":"cities"}]\#(rest)}}"#)
    }

    private static func commit(_ writes: String) -> GoldenAnswer.Step {
        .init("POST", ":commit", #"{"writes":[\#(writes)]}"#)
    }

    private static let nearest = #"""
        ,"findNearest":{"vectorField":{"fieldPath":"v"},"distanceMeasure":"EUCLIDEAN","limit":3,"queryVector":{"mapValue":
         {"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":1}]}}}}}}
        """#

    private static let count = #"""
        {"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"cities"}]},
         "aggregations":[{"count":{}}]}}
        """#

    @Test(
        arguments: [
            Bill(testDescription: "get", step: .init("GET", "/cities/a"), reads: 1),
            Bill(testDescription: "get of nothing", step: .init("GET", "/cities/z"), reads: 1),
            Bill(
                testDescription: "batch get, missing and repeated ones too",
                step: .init("POST", ":batchGet", #"{"documents":["C/a","C/z","C/a"]}"#),
                reads: 3
            ),
            Bill(testDescription: "query", step: query(""), reads: 5),
            Bill(testDescription: "query with a limit", step: query(#","limit":2"#), reads: 2),
            Bill(testDescription: "query with an offset", step: query(#","limit":2,"offset":2"#), reads: 4),
            Bill(testDescription: "query without results", step: query(#","limit":0"#), reads: 1),
            Bill(testDescription: "refused query", step: query(#","limit":-1"#)),
            Bill(testDescription: "count", step: .init("POST", ":runAggregationQuery", count), reads: 1),
            Bill(
                testDescription: "plan of a query",
                step: .init(
                    "POST",
                    ":runQuery",
                    #"{"structuredQuery":{"from":[{"collectionId":"cities"}]},"explainOptions":{}}"#
                ),
                reads: 1
            ),
            Bill(
                testDescription: "explained query",
                step: .init(
                    "POST",
                    ":runQuery",
                    #"{"structuredQuery":{"from":[{"collectionId":"cities"}]},"explainOptions":{"analyze":true}}"#
                ),
                reads: 5
            ),
            Bill(
                testDescription: "vector search without results, over five index entries",
                step: query(nearest),
                reads: 1
            ),
            Bill(
                testDescription: "partition",
                step: .init(
                    "POST",
                    ":partitionQuery",
                    #"{"structuredQuery":{"from":[{"collectionId":"cities","allDescendants":true}]},"partitionCount":"2"}"#
                ),
                reads: 1
            ),
            Bill(testDescription: "begin of a transaction", step: .init("POST", ":beginTransaction", "{}")),
            Bill(testDescription: "list", step: .init("GET", "/cities?pageSize=3"), reads: 3),
            Bill(testDescription: "list of nothing", step: .init("GET", "/none"), reads: 1),
            Bill(testDescription: "collection ids", step: .init("POST", ":listCollectionIds"), reads: 1),
            Bill(testDescription: "create", step: .init("POST", "/cities", ""), writes: 1),
            Bill(testDescription: "create again", step: .init("POST", "/cities?documentId=a", "")),
            Bill(
                testDescription: "update without effect",
                step: .init("PATCH", "/cities/a?updateMask.fieldPaths=none", "{}"),
                writes: 1
            ),
            Bill(testDescription: "delete", step: .init("DELETE", "/cities/a"), deletes: 1),
            Bill(testDescription: "delete of nothing", step: .init("DELETE", "/cities/z"), deletes: 1),
            Bill(
                testDescription: "commit",
                step: commit(#"{"update":{"name":"C/a"}},{"update":{"name":"C/z"}},{"delete":"C/b"}"#),
                writes: 2,
                deletes: 1
            ),
            Bill(
                testDescription: "verifications beside a write",
                step: commit(
                    #"{"verify":"C/a","currentDocument":{"exists":true}},"#
                        + #"{"verify":"C/z","currentDocument":{"exists":false}},{"update":{"name":"C/b"}}"#
                ),
                writes: 1
            ),
            Bill(
                testDescription: "failed commit",
                step: commit(#"{"update":{"name":"C/z"}},{"update":{"name":"C/a"},"currentDocument":{"exists":false}}"#)
            ),
            Bill(
                testDescription: "batch write, only what happened",
                step: .init(
                    "POST",
                    ":batchWrite",
                    #"{"writes":[{"update":{"name":"C/a"},"currentDocument":{"exists":false}},{"delete":"C/b"}]}"#
                ),
                deletes: 1
            ),
        ]
    )
    func `bills a request`(bill: Bill) async throws {
        let fixture = try FirestoreFixture()
        await fixture.addCities(["a": 1, "b": 2, "c": 3, "d": 4, "e": 5])
        let response = await fixture.send(bill.step)
        #expect(response.billed.documentReads == bill.reads)
        #expect(response.billed.documentWrites == bill.writes)
        #expect(response.billed.documentDeletes == bill.deletes)
        #expect(response.billed.egressBytes == Int64(response.body.count))
        #expect(response.billed.classA == 0)
        #expect(response.billed.classB == 0)
    }

    @Test func `clears a database for free, and only that one`() async throws {
        let fixture = try FirestoreFixture()
        await fixture.addCities(["a": 1])
        let other = "/v1/projects/demo/databases/other/documents/cities"
        await fixture.send(RESTRequest("POST", "\(other)?documentId=a"))
        let response = await fixture.send(RESTRequest("DELETE", "/emulator/v1/\(FirestoreFixture.documents)"))
        #expect(response.text == "{}")
        #expect(response.billed.documentDeletes == 0)
        #expect(response.attribution.operation == "firestore.clearDocuments")
        #expect(await fixture.send("GET", "/cities/a").status == 404)
        #expect(await fixture.send(RESTRequest("GET", "\(other)/a")).status == 200)
    }

    @Test(arguments: [
        ("/cities/a", ["/cities/b": 200, "/cities/a": 404, "/cities/a/shops/x": 404, "/cities2/a": 200]),
        ("/cities/a/shops", ["/cities/b": 200, "/cities/a": 200, "/cities/a/shops/x": 404, "/cities2/a": 200]),
        ("/cities", ["/cities/b": 404, "/cities/a": 404, "/cities/a/shops/x": 404, "/cities2/a": 200]),
        ("/nothing", ["/cities/b": 200, "/cities/a": 200, "/cities/a/shops/x": 200, "/cities2/a": 200]),
    ])
    func `clears a document or collection and what is below it, for free`(
        _ path: String,
        _ expected: [String: Int]
    ) async throws {
        let fixture = try FirestoreFixture()
        for path in expected.keys {
            await fixture.send(RESTRequest("PATCH", "/v1/\(FirestoreFixture.documents)\(path)"))
        }
        let response = await fixture.send(RESTRequest("DELETE", "/emulator/v1/\(FirestoreFixture.documents)\(path)"))
        #expect(response.text == "{}")
        #expect(response.billed.documentDeletes == 0)
        for (path, status) in expected { #expect(await fixture.send("GET", path).status == status) }
    }
}
