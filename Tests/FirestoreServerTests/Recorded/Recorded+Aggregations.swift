// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// QI aggregation/aliases-and-refusals and aggregation/options.
extension Recorded {
    private static func aggregate(
        _ step: String,
        _ aggregations: String,
        query: String = "",
        _ message: String,
        details: String? = nil
    ) -> Recorded {
        Recorded(
            "aggregation/\(step)",
            ":runAggregationQuery",
            #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}]\#(query)},"#
                + #""aggregations":[\#(aggregations)]}}"#,
            message,
            details: details
        )
    }

    private static let six = Array(repeating: #"{"count":{}}"#, count: 6).joined(separator: ",")

    static let aggregations = [
        aggregate(
            "aliases-and-refusals#duplicate-alias",
            #"{"alias":"x","count":{}},{"alias":"x","count":{}}"#,
            "Aggregation aliases contain duplicate alias: x."
        ),
        aggregate(
            "aliases-and-refusals#named-collides-with-default",
            #"{"alias":"field_1","count":{}},{"count":{}}"#,
            "Aggregation aliases contain duplicate alias: field_1."
        ),
        aggregate(
            "aliases-and-refusals#alias-reserved",
            #"{"alias":"__x__","count":{}}"#,
            "The property.name \"__x__\" is reserved."
        ),
        aggregate(
            "aliases-and-refusals#alias-1501-bytes",
            #"{"alias":"\#(String(repeating: "a", count: 1_501))","count":{}}"#,
            "The property.name is longer than 1500 bytes."
        ),
        aggregate(
            "aliases-and-refusals#six-aggregations",
            six,
            "The maximum number of aggregations allowed in an aggregation query is 5. Received: 6",
            details: #"[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TOO_MANY_AGGREGATIONS","#
                + #""domain":"firestore.googleapis.com","metadata":{"actual_aggregations":"6","max_aggregations":"5"}}]"#
        ),
        aggregate("aliases-and-refusals#no-aggregations", "", "Aggregations can not be empty."),
        aggregate(
            "aliases-and-refusals#aggregation-without-operator",
            #"{"alias":"a"}"#,
            "Operator field in Aggregation is not set."
        ),
        aggregate(
            "aliases-and-refusals#sum-on-name",
            #"{"sum":{"field":{"fieldPath":"__name__"}}}"#,
            "Aggregations are not supported for the property: __key__"
        ),
        aggregate(
            "aliases-and-refusals#avg-on-name",
            #"{"avg":{"field":{"fieldPath":"__name__"}}}"#,
            "Aggregations are not supported for the property: __key__"
        ),
        aggregate("aliases-and-refusals#sum-without-field", #"{"sum":{}}"#, "Invalid empty property path string."),
        aggregate(
            "aliases-and-refusals#sum-invalid-path",
            #"{"sum":{"field":{"fieldPath":"a..b"}}}"#,
            grammar("a..b")
        ),
        aggregate(
            "aliases-and-refusals#sum-reserved-path",
            #"{"sum":{"field":{"fieldPath":"__x__"}}}"#,
            "Invalid reserved name in field path __x__"
        ),
        aggregate(
            "options#count-up-to-negative",
            #"{"count":{"upTo":"-1"}}"#,
            "The `up_to` value in a COUNT aggregation must be greater than or equal to zero."
        ),
        aggregate(
            "options#cursor-too-many-values",
            #"{"count":{}}"#,
            query: #","orderBy":[{"field":{"fieldPath":"n"}}],"startAt":{"values":[{"nullValue":null},"#
                + #"{"referenceValue":"DOCS/c/a"},{"nullValue":null}]}"#,
            "Cursor has too many values."
        ),
    ]
}
