// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// QI filter-validation/paths-and-names.
extension Recorded {
    private static func name(_ step: String, _ operation: String, _ value: String, _ message: String) -> Recorded {
        filter("paths-and-names\(step)", field("__name__", operation, value), message)
    }

    private static let document = #"{"referenceValue":"DOCS/c/a"}"#
    private static let text = #"{"stringValue":"a"}"#
    private static let inequality = field("n", "GREATER_THAN", one)

    static let names = [
        name("#name-array-contains", "ARRAY_CONTAINS", document, "the name __key__ is reserved"),
        name(" equal to null", "EQUAL", #"{"nullValue":null}"#, "__key__ filter value must be a Key"),
        name(" equal to a string", "EQUAL", text, "__key__ filter value must be a Key"),
        name(" in a range", "LESS_THAN", text, "__key__ filter value must be a Key"),
        name(
            " in a mixed list",
            "IN",
            #"{"arrayValue":{"values":[\#(document),\#(text)]}}"#,
            "__key__ filter value must be a Key"
        ),
        name(
            " equal to a collection",
            "EQUAL",
            #"{"referenceValue":"DOCS/c"}"#,
            "Document parent name \"DOCS/c\" lacks \"/\" at index \(FirestoreFixture.documents.count + 2)."
        ),
        name(
            " in another database",
            "EQUAL",
            #"{"referenceValue":"projects/demo/databases/other-db/documents/c/a"}"#,
            """
            The request was for database 'projects/demo/databases/(default)' but was attempting to access database \
            'projects/demo/databases/other-db'
            """
        ),
        filter(
            "paths-and-names equality beside an inequality",
            composite("AND", field("__name__", "EQUAL", document), inequality),
            """
            Equality on key is not allowed if there are other inequality fields and key does not appear in inequalities.
            """
        ),
        filter(
            "paths-and-names list beside an inequality",
            composite("AND", field("__name__", "IN", #"{"arrayValue":{"values":[\#(document)]}}"#), inequality),
            """
            Equality on key is not allowed if there are other inequality fields and key does not appear in inequalities.
            """
        ),
    ]
}
