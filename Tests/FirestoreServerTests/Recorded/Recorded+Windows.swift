// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// QI cursors, offset-limit and order-by.
extension Recorded {
    private static func cursor(_ step: String, orderBy path: String, _ values: String..., message: String) -> Recorded {
        Recorded(
            "cursors/\(step)",
            ":runQuery",
            query(
                #","orderBy":[{"field":{"fieldPath":"\#(path)"}}],"#
                    + #""startAt":{"values":[\#(values.joined(separator: ","))]}"#
            ),
            message
        )
    }

    private static let text = #"{"stringValue":"d4"}"#
    private static let document = #"{"referenceValue":"DOCS/c/d4"}"#

    static let cursors = [
        cursor("too many values", orderBy: "h", one, document, one, message: "Cursor has too many values."),
        cursor("a string for the implied name", orderBy: "h", one, text, message: "Cursor has too many values."),
        cursor(
            "a string for the name",
            orderBy: "__name__",
            text,
            message: "Cursor __key__ value is not a document reference."
        ),
        cursor(
            "an integer for the name",
            orderBy: "__name__",
            one,
            message: "Cursor __key__ value is not a document reference."
        ),
        cursor(
            "a collection",
            orderBy: "__name__",
            #"{"referenceValue":"DOCS/qn"}"#,
            message: "Document parent name \"DOCS/qn\" lacks \"/\" at index \(FirestoreFixture.documents.count + 3)."
        ),
        cursor(
            "another database",
            orderBy: "__name__",
            #"{"referenceValue":"projects/demo/databases/other/documents/c/a"}"#,
            message: "The cursor key is in a different database than the query"
        ),
    ]

    static let windows: [Recorded] = [
        Recorded("offset-limit/limit -1", ":runQuery", query(#","limit":-1"#), "limit is negative"),
        .fault(
            "offset-limit/limit 2147483648",
            ":runQuery",
            query(#","limit":2147483648"#),
            at: "structured_query.limit.value",
            "Invalid value at 'structured_query.limit.value' (TYPE_INT32), 2147483648"
        ),
        .fault(
            "offset-limit/limit 1.5",
            ":runQuery",
            query(#","limit":1.5"#),
            at: "structured_query.limit.value",
            "Invalid value at 'structured_query.limit.value' (TYPE_INT32), 1.5"
        ),
        .fault(
            "read-time/yesterday",
            ":runQuery",
            #"{"readTime":"yesterday","structuredQuery":{"from":[{"collectionId":"c"}]}}"#,
            at: "read_time",
            """
            Invalid value at 'read_time' (type.googleapis.com/google.protobuf.Timestamp), Field 'readTime', \
            Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone offset.
            """
        ),
    ]

    private static func order(_ step: String, _ orders: String, _ message: String) -> Recorded {
        Recorded("order-by/basic\(step)", ":runQuery", query(#","orderBy":[\#(orders)]"#), message)
    }

    static let orders = [
        order(
            "#field-after-name",
            #"{"field":{"fieldPath":"__name__"}},{"field":{"fieldPath":"n"}}"#,
            "order by clause cannot contain more fields after the key"
        ),
        order(
            "#duplicate-field",
            #"{"field":{"fieldPath":"n"}},{"field":{"fieldPath":"n"}}"#,
            "order by clause cannot contain duplicate fields n"
        ),
        order(
            "#duplicate-field-opposite",
            #"{"field":{"fieldPath":"n"}},{"field":{"fieldPath":"n"},"direction":"DESCENDING"}"#,
            "order by clause cannot contain duplicate fields n"
        ),
        order("#empty-field-path", #"{"field":{"fieldPath":""}}"#, "Invalid empty property path string."),
        order("#order-without-field", "{}", "Invalid empty property path string."),
    ]
}
