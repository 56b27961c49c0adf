// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension GoldenAnswer {
    private static let addCities = Step(
        "POST",
        ":commit",
        #"""
        {"writes":[
          {"update":{"name":"C/LA","fields":{"pop":{"integerValue":"2"}}}},
          {"update":{"name":"C/NY","fields":{"pop":{"integerValue":"1"}}}},
          {"update":{"name":"C/gone/districts/bay"}}]}
        """#
    )

    static let listings = [
        GoldenAnswer(
            "batch get, each name once and those missing last",
            before: [addCities],
            Step(
                "POST",
                ":batchGet",
                #"{"documents":["C/nope","C/LA","C/nope"],"mask":{"fieldPaths":["pop"]}}"#
            ),
            #"[{"found":{"name":"C/LA","fields":{"pop":{"integerValue":"2"}},"#
                + #""createTime":"T1","updateTime":"T1"},"readTime":"T1"},{"missing":"C/nope","readTime":"T1"}]"#
        ),
        GoldenAnswer(
            "batch get in the order of names, those missing last",
            before: [addCities],
            Step(
                "POST",
                ":batchGet",
                #"{"documents":["C/x","C/NY","C/a","C/LA"],"mask":{"fieldPaths":["none"]}}"#
            ),
            #"[{"found":{"name":"C/LA","createTime":"T1","updateTime":"T1"},"readTime":"T1"},"#
                + #"{"found":{"name":"C/NY","createTime":"T1","updateTime":"T1"},"readTime":"T1"},"#
                + #"{"missing":"C/a","readTime":"T1"},{"missing":"C/x","readTime":"T1"}]"#
        ),
        GoldenAnswer("batch get of nothing", Step("POST", ":batchGet", "{}"), "[]"),
        GoldenAnswer(
            "list by a field",
            before: [addCities],
            Step("GET", "/cities?orderBy=pop%20desc&pageSize=10"),
            #"{"documents":[{"name":"C/LA","fields":{"pop":{"integerValue":"2"}},"createTime":"T1","#
                + #""updateTime":"T1"},{"name":"C/NY","fields":{"pop":{"integerValue":"1"}},"createTime":"T1","#
                + #""updateTime":"T1"}]}"#
        ),
        GoldenAnswer(
            "list with what is missing but has documents below",
            before: [addCities],
            Step("GET", "/cities?showMissing=true&mask.fieldPaths=none"),
            #"{"documents":[{"name":"C/LA","createTime":"T1","updateTime":"T1"},"#
                + #"{"name":"C/NY","createTime":"T1","updateTime":"T1"},{"name":"C/gone"}]}"#
        ),
        GoldenAnswer("list an empty collection", Step("GET", "/cities"), "{}"),
        GoldenAnswer(
            "collection ids of the root",
            before: [addCities],
            Step("POST", ":listCollectionIds", #"{"pageSize":10}"#),
            #"{"collectionIds":["cities"]}"#
        ),
        GoldenAnswer(
            "collection ids of a document",
            before: [addCities],
            Step("POST", "/cities/gone:listCollectionIds"),
            #"{"collectionIds":["districts"]}"#
        ),
    ]
}
