// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import SwiftProtobuf
import Testing

@testable import FirestoreServer

struct QueryShapeTests {
    @Test(
        arguments: [
            (#"{"from":[{"collectionId":"posts"}]}"#, "posts"),
            (
                #"""
                {"from":[{"collectionId":"posts"}],"orderBy":[{"field":{"fieldPath":"likes"},"direction":"DESCENDING"}],
                 "where":{"fieldFilter":{"field":{"fieldPath":"likes"},"op":"GREATER_THAN","value":{"integerValue":"9"}}},
                 "limit":20,"offset":40}
                """#,
                "posts where likes > order by likes desc limit offset"
            ),
            (
                #"""
                {"from":[{"collectionId":"posts","allDescendants":true}],"select":{"fields":[{"fieldPath":"title"}]},
                 "startAt":{"values":[{"integerValue":"1"}]},"endAt":{"values":[{"integerValue":"2"}]},
                 "orderBy":[{"field":{"fieldPath":"a"}},{"field":{"fieldPath":"__name__"}}]}
                """#,
                "group posts select title order by a, __name__ start after end at"
            ),
            (
                #"{"from":[{"collectionId":"posts"}],"startAt":{"before":true},"endAt":{"before":true}}"#,
                "posts start at end before"
            ),
            (
                #"""
                {"from":[{"collectionId":"posts"}],"where":{"compositeFilter":{"op":"AND","filters":[
                  {"fieldFilter":{"field":{"fieldPath":"a"},"op":"LESS_THAN_OR_EQUAL","value":{"integerValue":"1"}}},
                  {"compositeFilter":{"op":"OR","filters":[
                    {"fieldFilter":{"field":{"fieldPath":"b"},"op":"IN","value":{"arrayValue":{}}}},
                    {"unaryFilter":{"field":{"fieldPath":"c"},"op":"IS_NOT_NULL"}}]}}]}}}
                """#,
                "posts where a <= and (b in or c is not null)"
            ),
            (
                #"""
                {"from":[{"collectionId":"posts"}],"where":{"compositeFilter":{"op":"AND","filters":[
                  {"compositeFilter":{"op":"OR","filters":[
                    {"unaryFilter":{"field":{"fieldPath":"a"},"op":"IS_NAN"}},
                    {"unaryFilter":{"field":{"fieldPath":"b"},"op":"IS_NULL"}}]}}]}}}
                """#,
                "posts where a is nan or b is null"
            ),
            (#"{"from":[{"allDescendants":true}]}"#, "group *"),
            ("{}", "*"),
        ]
    )
    func `strips the values from a query`(json: String, shape: String) throws {
        let query = try Proto.StructuredQuery(jsonUTF8Bytes: Array(json.utf8))
        #expect(QueryShape(query, under: []).text == shape)
    }

    @Test(
        arguments: [
            ("LESS_THAN", "<"), ("LESS_THAN_OR_EQUAL", "<="), ("GREATER_THAN", ">"), ("GREATER_THAN_OR_EQUAL", ">="),
            ("EQUAL", "=="), ("NOT_EQUAL", "!="), ("ARRAY_CONTAINS", "array-contains"), ("IN", "in"),
            ("ARRAY_CONTAINS_ANY", "array-contains-any"), ("NOT_IN", "not-in"), ("OPERATOR_UNSPECIFIED", "?"),
        ]
    )
    func `writes operators as SDKs do`(name: String, symbol: String) throws {
        let json = #"{"fieldFilter":{"field":{"fieldPath":"a"},"op":"\#(name)"}}"#
        let filter = try Proto.StructuredQuery.Filter(jsonUTF8Bytes: Array(json.utf8))
        #expect(QueryShape.text(of: filter) == "a \(symbol)")
    }
}
