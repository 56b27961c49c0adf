// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import Testing

/// Answers what production answers where the official emulator does not (recorded 2026-09).
struct RecordedAnswerTests {
    @Test(
        arguments: [
            ("projection#empty-select", #","select":{}"#, false),
            ("projection#empty-list", #","select":{"fields":[]}"#, false),
            ("projection#name-only", #","select":{"fields":[{"fieldPath":"__name__"}]}"#, false),
            ("no projection", "", true),
        ]
    )
    func `selects nothing where nothing is named`(recording: String, select: String, hasFields: Bool) async throws {
        let fixture = try FirestoreFixture()
        await fixture.addCities(["a": 1])
        let response = await fixture.send(
            "POST",
            ":runQuery",
            #"{"structuredQuery":{"from":[{"collectionId":"cities"}]\#(select)}}"#
        )
        #expect(response.status == 200)
        #expect(response.text.contains(#""fields""#) == hasFields)
    }

    @Test(
        arguments: [
            ("offset-limit/limit \"1\"", #""limit":"1""#), ("offset-limit/limit {value}", #""limit":{"value":1}"#),
            ("request-shape/rest trailing comma", #""limit":1,"#),
            ("order-by-without-direction", #""orderBy":[{"field":{"fieldPath":"pop"}}]"#),
            ("filter-validation/#composite-empty", #""where":{"compositeFilter":{"op":"AND"}}"#),
        ]
    )
    func `reads what is no strict JSON`(recording: String, part: String) async throws {
        let fixture = try FirestoreFixture()
        await fixture.addCities(["a": 1])
        let response = await fixture.send(
            "POST",
            ":runQuery",
            #"{"structuredQuery":{"from":[{"collectionId":"cities"}],\#(part)}}"#
        )
        #expect(response.status == 200)
        #expect(response.text.contains("cities/a"), "\(response.text)")
    }

    @Test(
        arguments: [
            (
                "cursors#cursor-with-name-tiebreak",
                #"{"values":[{"integerValue":"1"},{"referenceValue":"DOCS/cities/a"}]}"#
            ),
            ("cursors/empty values", #"{"values":[]}"#), ("cursors/only before", #"{"before":true}"#),
            ("cursors/a foreign collection", #"{"values":[{"integerValue":"1"},{"referenceValue":"DOCS/x/a"}]}"#),
        ]
    )
    func `takes cursors`(recording: String, cursor: String) async throws {
        let response = try await FirestoreFixture().send(
            "POST",
            ":runQuery",
            Recorded.expand(Recorded.query(#","orderBy":[{"field":{"fieldPath":"h"}}],"startAt":\#(cursor)"#))
        )
        #expect(response.status == 200)
    }

    @Test(
        arguments: [
            (Recorded.field("a", "IN", Recorded.numbers(30)), ""),
            (Recorded.field("a", "NOT_IN", Recorded.numbers(10)), ""),
            (Recorded.all("OR", Recorded.equalities(30)), ""), (Recorded.all("AND", Recorded.equalities(100)), ""),
            (Recorded.all("AND", Recorded.equalities(99)), "/p/d"),
            (Recorded.all("AND", (0..<10).map { Recorded.field("f\($0)", "GREATER_THAN", Recorded.one) }), ""),
        ]
    )
    func `accepts queries at the limits`(filter: String, parent: String) async throws {
        let response = try await FirestoreFixture().send(
            "POST",
            "\(parent):runQuery",
            Recorded.query(#","where":\#(filter)"#)
        )
        #expect(response.status == 200, "\(response.text)")
    }

    @Test func `names aggregations by their place among the unnamed ones`() async throws {
        let response = try await FirestoreFixture().send(
            "POST",
            ":runAggregationQuery",
            #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}]},"aggregations":"#
                + #"[{"count":{}},{"alias":"a","count":{}},{"alias":"a b","count":{}},{"alias":"","count":{}}]}}"#
        )
        for alias in ["field_1", "a", "a b", "field_2"] {
            #expect(response.text.contains(#""\#(alias)":{"integerValue":"0"}"#), "\(response.text)")
        }
    }
}
