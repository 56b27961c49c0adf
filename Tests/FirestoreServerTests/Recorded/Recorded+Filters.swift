// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// QI filter-validation.
extension Recorded {
    static func grammar(_ path: String) -> String {
        """
        Invalid property path "\(path)". Unquoted property paths must match regex ([a-zA-Z_][a-zA-Z_0-9]*), \
        and quoted property paths must match regex (`(?:[^`\\\\]|(?:\\\\.))+`)
        """
    }

    static func query(_ rest: String) -> String {
        #"{"structuredQuery":{"from":[{"collectionId":"c"}]\#(rest)}}"#
    }

    static func filter(_ step: String, _ filter: String, _ message: String) -> Recorded {
        Recorded("filter-validation/\(step)", ":runQuery", query(#","where":\#(filter)"#), message)
    }

    static func field(_ path: String, _ operation: String, _ value: String) -> String {
        #"{"fieldFilter":{"field":{"fieldPath":"\#(path)"},"op":"\#(operation)","value":\#(value)}}"#
    }

    static func composite(_ operation: String, _ filters: String...) -> String {
        #"{"compositeFilter":{"op":"\#(operation)","filters":[\#(filters.joined(separator: ","))]}}"#
    }

    static let one = #"{"integerValue":"1"}"#
    private static let list = #"{"arrayValue":{"values":[{"integerValue":"1"}]}}"#
    private static let value = "structured_query.where.field_filter.value"

    static let filters: [Recorded] =
        [
            filter("#operator-unspecified", field("a", "OPERATOR_UNSPECIFIED", one), "Unknown FieldFilter operator."),
            filter(
                "#operator-unknown-number",
                #"{"fieldFilter":{"field":{"fieldPath":"a"},"op":99,"value":\#(one)}}"#,
                "Unknown FieldFilter operator."
            ),
            .fault(
                "filter-validation/#operator-unknown",
                ":runQuery",
                query(#","where":\#(field("a", "SIMILAR_TO", one))"#),
                at: "structured_query.where.field_filter.op",
                """
                Invalid value at 'structured_query.where.field_filter.op' \
                (type.googleapis.com/google.firestore.v1.StructuredQuery.FieldFilter.Operator), "SIMILAR_TO"
                """
            ),
            filter(
                "unary op unspecified",
                #"{"unaryFilter":{"field":{"fieldPath":"a"}}}"#,
                "Unknown UnaryFilter operator."
            ),
            filter(
                "no value",
                #"{"fieldFilter":{"field":{"fieldPath":"a"},"op":"EQUAL"}}"#,
                "Cannot convert firestore.v1.Value with type unset."
            ),
            filter(
                "no field",
                #"{"fieldFilter":{"op":"EQUAL","value":\#(one)}}"#,
                "Invalid empty property path string."
            ),
            filter(
                "unary without field",
                #"{"unaryFilter":{"op":"IS_NULL"}}"#,
                "Unsupported UnaryFilter operand type (non-FIELD)."
            ),
            filter("where {}", "{}", "Unknown Filter type."),
            .fault(
                "filter-validation/future value",
                ":runQuery",
                query(#","where":\#(field("a", "EQUAL", #"{"futureValue":1}"#))"#),
                at: value,
                "Invalid JSON payload received. Unknown name \"futureValue\" at '\(value)': Cannot find field."
            ),
            .fault(
                "filter-validation/two kinds of value",
                ":runQuery",
                query(#","where":\#(field("a", "EQUAL", #"{"integerValue":"1","stringValue":"1"}"#))"#),
                at: value,
                "Invalid value at '\(value)' (oneof), oneof field 'value_type' is already set. Cannot set 'stringValue'"
            ),
            .fault(
                "filter-validation/integer out of range",
                ":runQuery",
                query(#","where":\#(field("a", "EQUAL", #"{"integerValue":"9223372036854775808"}"#))"#),
                at: "\(value).integer_value",
                "Invalid value at '\(value).integer_value' (TYPE_INT64), \"9223372036854775808\""
            ),
            .fault(
                "filter-validation/timestamp in the year 10000",
                ":runQuery",
                query(#","where":\#(field("a", "EQUAL", #"{"timestampValue":"10000-01-01T00:00:00Z"}"#))"#),
                at: "\(value).timestamp_value",
                """
                Invalid value at '\(value).timestamp_value' (type.googleapis.com/google.protobuf.Timestamp), \
                Field 'timestampValue', Timestamp value exceeds limits
                """
            ),
            filter(
                "composite without operator",
                #"{"compositeFilter":{"filters":[]}}"#,
                "Unsupported CompositeFilter operator."
            ),
            filter("OR of nothing", composite("OR"), "Composite filter must have at least one sub-filter."),
            filter(
                "two negations",
                composite("AND", field("a", "NOT_EQUAL", one), field("b", "NOT_IN", list)),
                "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query."
            ),
            filter(
                "array-contains and array-contains-any",
                composite("AND", field("a", "ARRAY_CONTAINS", one), field("b", "ARRAY_CONTAINS_ANY", list)),
                "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction."
            ),
        ]
        + ["IN", "NOT_IN", "ARRAY_CONTAINS_ANY"].flatMap { operation in
            [
                filter("\(operation) non-array", field("a", operation, one), "'\(operation)' requires an ArrayValue."),
                filter(
                    "\(operation) empty",
                    field("a", operation, #"{"arrayValue":{}}"#),
                    "'\(operation)' requires an non-empty ArrayValue."
                ),
            ]
        }

    static let fieldPaths =
        ["a..b", "a.", "`a", "``", "a-b", "1a", "a b", "a~b", "a*b", "a/b"].map {
            filter("path \($0)", field($0, "EQUAL", one), grammar($0))
        } + [
            filter("path empty", field("", "EQUAL", one), "Invalid empty property path string."),
            filter("path a[0]", field("a[0]", "EQUAL", one), "Invalid property path"),
            filter("path __x__", field("__x__", "EQUAL", one), "Invalid reserved name in field path __x__"),
            filter("path a.__x__", field("a.__x__", "EQUAL", one), "Invalid reserved name in field path __x__"),
            filter(
                "path over 1500 bytes",
                field(String(repeating: "a", count: 1_501), "EQUAL", one),
                "property path is longer than 1500 bytes."
            ),
        ]
}
