// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension RefusalTests.Refusal {
    static let notYet = [
        unimplemented("begin", "POST", ":beginTransaction", "{}", message: "Transactions are not implemented"),
        unimplemented("roll back", "POST", ":rollback", "{}", message: "Transactions are not implemented"),
        unimplemented("partition", "POST", ":partitionQuery", message: "Firestore/PartitionQuery is unimplemented"),
        unimplemented("pipeline", "POST", ":executePipeline", message: "Firestore/ExecutePipeline is unimplemented"),
        unimplemented("get in a transaction", "GET", "/cities/SF?transaction=AA==", message: "Transactions are not"),
        unimplemented("list in a transaction", "GET", "/cities?transaction=AA==", message: "Transactions are not"),
        unimplemented("get as of then", "GET", "/cities/SF?readTime=2026-11-21T00:00:00Z", message: "read_time"),
        unimplemented("commit one", "POST", ":commit", #"{"transaction":"AA=="}"#, message: "Transactions are not"),
        unimplemented("begin by get", "POST", ":batchGet", #"{"newTransaction":{}}"#, message: "Transactions are not"),
        unimplemented(
            "query in a transaction",
            "POST",
            ":runQuery",
            #"{"structuredQuery":{"from":[{"collectionId":"a"}]},"transaction":"AA=="}"#,
            message: "Transactions are not implemented"
        ),
        unimplemented(
            "query as of then",
            "POST",
            ":runQuery",
            #"{"structuredQuery":{"from":[{"collectionId":"a"}]},"readTime":"2026-11-21T00:00:00Z"}"#,
            message: "read_time"
        ),
        unimplemented(
            "explain",
            "POST",
            ":runQuery",
            #"{"structuredQuery":{"from":[{"collectionId":"a"}]},"explainOptions":{}}"#,
            message: "explain_options"
        ),
        unimplemented(
            "nearest vectors",
            "POST",
            ":runQuery",
            #"{"structuredQuery":{"from":[{"collectionId":"a"}],"findNearest":{}}}"#,
            message: "find_nearest"
        ),
    ]
}
