// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension GoldenAnswer {
    private static let addCities = Step(
        "POST",
        ":commit",
        #"""
        {"writes":[
          {"update":{"name":"C/SF","fields":{"pop":{"integerValue":"870005"},"name":{"stringValue":"Fog"}}}},
          {"update":{"name":"C/LA","fields":{"pop":{"integerValue":"3900000"}}}},
          {"update":{"name":"C/NY","fields":{"pop":{"integerValue":"8400000"}}}}]}
        """#
    )

    private static func query(_ query: String) -> Step {
        Step("POST", ":runQuery", #"{"structuredQuery":\#(query)}"#)
    }

    private static func aggregate(_ aggregations: String, from collection: String = "cities") -> Step {
        Step(
            "POST",
            ":runAggregationQuery",
            #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"\#(collection)"}]},"#
                + #""aggregations":\#(aggregations)}}"#
        )
    }

    static let queries = [
        GoldenAnswer(
            "query after a cursor",
            before: [addCities],
            query(
                #"""
                {"from":[{"collectionId":"cities"}],
                 "where":{"fieldFilter":{"field":{"fieldPath":"pop"},"op":"GREATER_THAN","value":{"integerValue":"0"}}},
                 "orderBy":[{"field":{"fieldPath":"pop"}},{"field":{"fieldPath":"__name__"}}],
                 "startAt":{"values":[{"integerValue":"870005"},{"referenceValue":"C/SF"}],"before":false},"limit":2}
                """#
            ),
            #"[{"document":{"name":"C/LA","fields":{"pop":{"integerValue":"3900000"}},"#
                + #""createTime":"T1","updateTime":"T1"},"readTime":"T1"},"#
                + #"{"document":{"name":"C/NY","fields":{"pop":{"integerValue":"8400000"}},"#
                + #""createTime":"T1","updateTime":"T1"},"readTime":"T1"}]"#
        ),
        GoldenAnswer(
            "query with an offset, descending, one field",
            before: [addCities],
            query(
                #"""
                {"select":{"fields":[{"fieldPath":"name"}]},"from":[{"collectionId":"cities"}],
                 "orderBy":[{"field":{"fieldPath":"pop"},"direction":"DESCENDING"}],"offset":2,"limit":5}
                """#
            ),
            #"[{"readTime":"T1","skippedResults":2},{"document":{"name":"C/SF","#
                + #""fields":{"name":{"stringValue":"Fog"}},"createTime":"T1","updateTime":"T1"},"readTime":"T1"}]"#
        ),
        GoldenAnswer(
            "query without results",
            query(#"{"from":[{"collectionId":"cities"}]}"#),
            #"[{"readTime":"NOW"}]"#
        ),
        GoldenAnswer(
            "query that makes no sense",
            query(
                #"{"from":[{"collectionId":"cities"}],"where":{"fieldFilter":"#
                    + #"{"field":{"fieldPath":"pop"},"op":"IN","value":{"integerValue":"1"}}}}"#
            ),
            status: 400,
            #"[{"error":{"code":400,"message":"'IN' requires an ArrayValue.","status":"INVALID_ARGUMENT"}}]"#
        ),
        GoldenAnswer(
            "count, sum and average",
            before: [addCities],
            aggregate(
                #"[{"alias":"n","count":{}},{"alias":"s","sum":{"field":{"fieldPath":"pop"}}},"#
                    + #"{"alias":"a","avg":{"field":{"fieldPath":"pop"}}}]"#
            ),
            #"[{"result":{"aggregateFields":{"a":{"doubleValue":4390001.666666667},"#
                + #""n":{"integerValue":"3"},"s":{"integerValue":"13170005"}}},"readTime":"T1"}]"#
        ),
        GoldenAnswer(
            "count beside a sum sees only documents with the field",
            before: [addCities],
            aggregate(#"[{"count":{}},{"sum":{"field":{"fieldPath":"name"}}}]"#),
            #"[{"result":{"aggregateFields":{"field_1":{"integerValue":"1"},"field_2":{"integerValue":"0"}}},"#
                + #""readTime":"T1"}]"#
        ),
        GoldenAnswer(
            "count up to a limit",
            before: [addCities],
            aggregate(#"[{"alias":"n","count":{"upTo":"2"}}]"#),
            #"[{"result":{"aggregateFields":{"n":{"integerValue":"2"}}},"readTime":"T1"}]"#
        ),
        GoldenAnswer(
            "aggregate nothing",
            aggregate(
                #"[{"alias":"n","count":{}},{"alias":"s","sum":{"field":{"fieldPath":"pop"}}},"#
                    + #"{"alias":"a","avg":{"field":{"fieldPath":"pop"}}}]"#,
                from: "none"
            ),
            #"[{"result":{"aggregateFields":{"a":{"nullValue":null},"n":{"integerValue":"0"},"#
                + #""s":{"integerValue":"0"}}},"readTime":"NOW"}]"#
        ),
    ]
}
