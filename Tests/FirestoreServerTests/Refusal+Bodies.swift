// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension RefusalTests.Refusal {
    static let bodies = [
        invalid("no JSON", "POST", ":commit", "{", message: "Unexpected end of string."),
        invalid("an unknown field", "POST", ":commit", #"{"write":[]}"#, message: #"Unknown name \"write\""#),
        invalid("a list", "POST", "/cities", "[]", message: "Root element must be a message."),
        invalid("another name than the URL's", "PATCH", "/cities/SF", #"{"name":"C/LA"}"#, message: "cities/SF"),
        invalid("a name to create", "POST", "/cities", #"{"name":"C/LA"}"#, message: "document.name must not be set"),
        invalid(
            "another database than the URL's",
            "POST",
            ":commit",
            #"{"database":"projects/demo/databases/other"}"#,
            message: "databases/(default)"
        ),
        invalid(
            "a write outside the database",
            "POST",
            ":commit",
            #"{"writes":[{"update":{"name":"C/SF"}},"#
                + #"{"delete":"projects/demo/databases/other/documents/cities/SF"}]}"#,
            message: "databases/other"
        ),
        invalid("a write of nothing", "POST", ":commit", #"{"writes":[{}]}"#, message: "empty write operation"),
        invalid(
            "a verification of nothing",
            "POST",
            ":commit",
            #"{"writes":[{"verify":"C/SF"}]}"#,
            message: "a verify must contain a precondition"
        ),
        invalid(
            "a masked delete",
            "POST",
            ":commit",
            #"{"writes":[{"delete":"C/SF","updateMask":{"fieldPaths":["a"]}}]}"#,
            message: "a delete must not specify a document mask."
        ),
        invalid(
            "a transform of nothing",
            "POST",
            ":commit",
            #"{"writes":[{"transform":{"document":"C/SF"}}]}"#,
            message: "FieldTransform must not be empty"
        ),
        invalid(
            "a transform without type",
            "POST",
            ":commit",
            #"{"writes":[{"update":{"name":"C/SF"},"updateTransforms":[{"fieldPath":"a"}]}]}"#,
            message: "Operation type must be specified"
        ),
        invalid(
            "a transform to no value of the server's",
            "POST",
            ":commit",
            #"{"writes":[{"update":{"name":"C/SF"},"updateTransforms":"#
                + #"[{"fieldPath":"a","setToServerValue":"SERVER_VALUE_UNSPECIFIED"}]}]}"#,
            message: "ServerValue type must be specified for set_to_server_value transformation."
        ),
        invalid(
            "two bad writes",
            "POST",
            ":commit",
            #"{"writes":[{"update":{"name":"C/SF","fields":{"__a__":{"nullValue":null}}}},{}]}"#,
            message: "field name __a__ is reserved"
        ),
        invalid(
            "a map of another type than a vector's",
            "POST",
            "/cities",
            #"{"fields":{"a":{"mapValue":{"fields":{"__type__":{"integerValue":"1"}}}}}}"#,
            message: "Field __type__ is not a string."
        ),
        invalid(
            "a vector with more than its components",
            "POST",
            "/cities",
            #"{"fields":{"a":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"#
                + #""value":{"arrayValue":{"values":[{"doubleValue":1}]}},"b":{"nullValue":null}}}}}}"#,
            message: "Vector Value map has extraneous entries."
        ),
        invalid("a value without type", "POST", "/cities", #"{"fields":{"a":{}}}"#, message: "with type unset"),
        invalid(
            "a vector of integers",
            "POST",
            "/cities",
            #"{"fields":{"a":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"#
                + #""value":{"arrayValue":{"values":[{"integerValue":"1"}]}}}}}}}"#,
            message: "Vector must only contain"
        ),
        invalid(
            "a document twice in a batch",
            "POST",
            ":batchWrite",
            #"{"writes":[{"update":{"name":"C/SF"}},{"delete":"C/SF"}]}"#,
            message: "the same document cannot be written more than once in a single request"
        ),
        invalid(
            "a document twice in a batch, whatever else is wrong with it",
            "POST",
            ":batchWrite",
            #"{"writes":[{},{"update":{"name":"C/__x__"}},{"delete":"C/__x__"}]}"#,
            message: "the same document cannot be written more than once in a single request"
        ),
        invalid("no query", "POST", ":runQuery", "{}", message: "only structured queries"),
        invalid(
            "two collections",
            "POST",
            ":runQuery",
            #"{"structuredQuery":{"from":[{"collectionId":"a"},{"collectionId":"b"}]}}"#,
            message: "more than one collection selector"
        ),
        invalid(
            "an empty filter",
            "POST",
            ":runQuery",
            #"{"structuredQuery":{"from":[{"collectionId":"a"}],"where":{"compositeFilter":{"op":"OR"}}}}"#,
            message: "at least one sub-filter"
        ),
        invalid(
            "a filter without operator",
            "POST",
            ":runQuery",
            #"{"structuredQuery":{"from":[{"collectionId":"a"}],"where":{"unaryFilter":{"field":{"fieldPath":"b"}}}}}"#,
            message: "Unknown UnaryFilter operator."
        ),
        invalid(
            "a direction of the future",
            "POST",
            ":runQuery",
            #"{"structuredQuery":{"from":[{"collectionId":"a"}],"orderBy":[{"field":{"fieldPath":"b"},"direction":7}]}}"#,
            message: "Unrecognized ordering."
        ),
        invalid(
            "a count of nothing over a bad query",
            "POST",
            ":runAggregationQuery",
            #"{"structuredAggregationQuery":{"structuredQuery":{"orderBy":[{"field":{"fieldPath":"b"}}]},"#
                + #""aggregations":[{"count":{"upTo":"0"}}]}}"#,
            message: "kind is required for all orders"
        ),
        invalid(
            "no aggregation",
            "POST",
            ":runAggregationQuery",
            #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"a"}]}}}"#,
            message: "Aggregations can not be empty."
        ),
        invalid("no page token", "POST", ":listCollectionIds", #"{"pageToken":"?"}"#, message: "page token"),
        invalid(
            "another page token",
            "POST",
            ":listCollectionIds",
            #"{"pageToken":"AAAA"}"#,
            message: "invalid page token"
        ),
        invalid("a negative page", "POST", ":listCollectionIds", #"{"pageSize":-1}"#, message: "page_size must be"),
    ]
}
