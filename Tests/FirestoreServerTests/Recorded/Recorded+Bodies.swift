// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// QI request-shape/rest.
extension Recorded {
    private static func collection(_ step: String, _ id: String, _ message: String) -> Recorded {
        Recorded(
            "request-shape/rest \(step)",
            ":runQuery",
            #"{"structuredQuery":{"from":[{"collectionId":"\#(id)"}]}}"#,
            message
        )
    }

    static let shapes: [Recorded] = [
        Recorded("request-shape/rest {}", ":runQuery", "{}", "only structured queries are supported"),
        Recorded("request-shape/rest empty", ":runQuery", "", "only structured queries are supported"),
        Recorded(
            "request-shape/rest not json",
            ":runQuery",
            "not json",
            "Invalid JSON payload received. Unexpected token.\nnot json\n^"
        ),
        .fault(
            "request-shape/rest []",
            ":runQuery",
            "[]",
            at: nil,
            "Invalid JSON payload received. Unknown name \"\": Root element must be a message."
        ),
        Recorded(
            "request-shape/rest truncated",
            ":runQuery",
            #"{"structuredQuery":"#,
            "Invalid JSON payload received. Unexpected end of string. Expected a value.\n\n^"
        ),
        collection("slash", "a/b", "Collection id \"a/b\" is invalid because it contains \"/\"."),
        collection("reserved", "__x__", "Collection id \"__x__\" is invalid because it is reserved."),
        collection("dot", ".", "Collection id \".\" is invalid because it is reserved."),
        collection("1501 bytes", String(repeating: "c", count: 1_501), "The query kind is longer than 1500 bytes."),
        Recorded(
            "request-shape/rest two selectors",
            ":runQuery",
            #"{"structuredQuery":{"from":[{"collectionId":"a"},{"collectionId":"b"}]}}"#,
            "StructuredQuery.from cannot have more than one collection selector."
        ),
        .fault(
            "request-shape/rest odd depth, one segment",
            "/qn:runQuery",
            query(""),
            at: "document",
            "Invalid JSON payload received. Unknown name \"structuredQuery\" at 'document': Cannot find field."
        ),
        Recorded(
            "request-shape/rest odd depth",
            "/qroot/r1/qg:runQuery",
            query(""),
            """
            Document parent name "DOCS/qroot/r1/qg" lacks "/" at index \(FirestoreFixture.documents.count + 12).
            """
        ),
        .fault(
            "request-shape/rest extra key",
            ":runAggregationQuery",
            #"{"structuredAggregationQuery":{"extra":1}}"#,
            at: "structured_aggregation_query",
            """
            Invalid JSON payload received. Unknown name "extra" at 'structured_aggregation_query': Cannot find field.
            """
        ),
    ]
}
