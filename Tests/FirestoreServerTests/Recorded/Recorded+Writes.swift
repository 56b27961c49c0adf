// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// broad-runs/fs-batch-malformed-middle and the rows of names, sizes and writes.
extension Recorded {
    private static func batch(_ step: String, _ write: String, _ message: String) -> Recorded {
        Recorded(
            "fs-batch-malformed-middle/\(step)",
            ":batchWrite",
            #"{"writes":[\#(write)]}"#,
            message
        )
    }

    private static func commit(_ recording: String, _ write: String, _ message: String) -> Recorded {
        Recorded(recording, ":commit", #"{"writes":[\#(write)]}"#, message)
    }

    private static let base = FirestoreFixture.documents.count
    private static let transforms = Array(
        repeating: #"{"fieldPath":"n","increment":{"integerValue":"1"}}"#,
        count: 501
    ).joined(separator: ",")
    private static let longID = String(repeating: "c", count: 1_501)

    static let writes = [
        batch("{}", "{}", "empty write operation"),
        batch(
            "a collection",
            #"{"update":{"name":"DOCS/batchInvalid"}}"#,
            "Document name \"DOCS/batchInvalid\" lacks \"/\" at index \(base + 13)."
        ),
        batch("bad mask", #"{"update":{"name":"DOCS/c/d"},"updateMask":{"fieldPaths":["a..b"]}}"#, grammar("a..b")),
        commit(
            "fs-batch-malformed-middle/empty field name",
            #"{"update":{"name":"DOCS/c/d","fields":{"":{"nullValue":null}}}}"#,
            "The property.name is the empty string."
        ),
        commit(
            "fs-batch-malformed-middle/reserved field name",
            #"{"update":{"name":"DOCS/c/d","fields":{"__bad__":{"nullValue":null}}}}"#,
            "field name __bad__ is reserved"
        ),
        Recorded(
            "fs-batch-duplicate-document",
            ":batchWrite",
            #"{"writes":[{"update":{"name":"DOCS/c/d"}},{"delete":"DOCS/c/d"}]}"#,
            "the same document cannot be written more than once in a single request"
        ),
        Recorded(
            "GET of a missing document",
            "GET /c/d",
            "",
            code: "NOT_FOUND",
            "Document \"DOCS/c/d\" not found."
        ),
        commit(
            "errors/rest-shapes#write-nested-arrays",
            #"{"update":{"name":"DOCS/c/d","fields":{"a":{"arrayValue":{"values":[{"arrayValue":{}}]}}}}}"#,
            "Nested arrays are not allowed"
        ),
        commit(
            "errors/rest-shapes#write-reference-to-a-collection",
            #"{"update":{"name":"DOCS/c/d","fields":{"a":{"referenceValue":"DOCS/x"}}}}"#,
            "Document parent name \"DOCS/x\" lacks \"/\" at index \(base + 2)."
        ),
        commit(
            "errors/rest-shapes#mask-on-a-delete",
            #"{"delete":"DOCS/c/d","updateMask":{"fieldPaths":["a"]}}"#,
            "a delete must not specify a document mask."
        ),
        commit(
            "a transform of a delete (check-transform-diagnostics)",
            #"{"delete":"DOCS/c/d","updateTransforms":[{"fieldPath":"a","setToServerValue":"REQUEST_TIME"}]}"#,
            "a delete must not specify a update transform."
        ),
        commit(
            "an increment by a string (check-transform-diagnostics)",
            #"{"transform":{"document":"DOCS/c/d","fieldTransforms":[{"fieldPath":"a","increment":{"stringValue":"1"}}]}}"#,
            "Input must be a number."
        ),
        commit(
            "errors/rest-shapes#five-hundred-and-one-transforms",
            #"{"update":{"name":"DOCS/c/d"},"updateTransforms":[\#(transforms)]}"#,
            "cannot have more than 500 field transforms on a single document"
        ),
        commit(
            "fs-collection-id 1501 bytes",
            #"{"update":{"name":"DOCS/\#(longID)/x"}}"#,
            "The key path element kind is longer than 1500 bytes."
        ),
        commit(
            "fs-collection-id dot",
            #"{"update":{"name":"DOCS/./x"}}"#,
            "Document name \"DOCS/./x\" contains a collection id \".\" at index \(base + 1)."
        ),
        commit(
            "fs-collection-id dots",
            #"{"update":{"name":"DOCS/../x"}}"#,
            "Document name \"DOCS/../x\" contains a collection id \"..\" at index \(base + 1)."
        ),
        commit(
            "fs-collection-id reserved",
            #"{"update":{"name":"DOCS/__reserved__/x"}}"#,
            "Collection id \"__reserved__\" is invalid because it is reserved."
        ),
        commit(
            "fs-collection-id odd depth",
            #"{"delete":"DOCS/bad/inside/x"}"#,
            "Document name \"DOCS/bad/inside/x\" lacks \"/\" at index \(base + 13)."
        ),
    ]
}
