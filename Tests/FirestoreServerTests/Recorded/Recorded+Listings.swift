// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// LS: list-documents and list-collection-ids.
extension Recorded {
    static let listings: [Recorded] = [
        Recorded(
            "grpc/list-collection-ids negative page",
            ":listCollectionIds",
            #"{"pageSize":-1}"#,
            "page_size must be greater than or equal to zero."
        ),
        Recorded(
            "grpc/list-collection-ids garbage token",
            ":listCollectionIds",
            #"{"pageToken":"?"}"#,
            "invalid page token"
        ),
        Recorded(
            "grpc/list-collection-ids collection",
            "/lst/d/lst:listCollectionIds",
            "",
            "Document parent name \"DOCS/lst/d/lst\" lacks \"/\" at index \(FirestoreFixture.documents.count + 10)."
        ),
        Recorded(
            "grpc/list-documents a sideways",
            "GET /lst?orderBy=a%20sideways",
            "",
            "Invalid order by clause \"a sideways\"."
        ),
        Recorded("list-documents/rest bad mask", "GET /lst?mask.fieldPaths=a..b", "", grammar("a..b")),
        Recorded("list-documents/rest bad token", "GET /lst?pageToken=abc", "", "invalid page token"),
        Recorded(
            "list-documents/rest ordered and missing",
            "GET /lst?showMissing=true&orderBy=__name__",
            "",
            "cannot specify an order when show_missing is true"
        ),
        Recorded(
            "errors/rest-shapes#read-time-in-the-distant-past",
            "GET /lst?readTime=2020-01-01T00:00:00Z",
            "",
            "The requested 'read_time' cannot be before database creation time."
        ),
        Recorded(
            "transactions#begin-with-read-time-in-the-past",
            ":beginTransaction",
            #"{"options":{"readOnly":{"readTime":"2020-01-01T00:00:00Z"}}}"#,
            "The requested 'read_time' cannot be before database creation time."
        ),
        .fault(
            "read-time#read-time-ten-digits",
            "GET /lst?readTime=2099-01-01T00:00:00.1234567891Z",
            "",
            at: "read_time",
            """
            Invalid value at 'read_time' (type.googleapis.com/google.protobuf.Timestamp), \
            Field 'read_time', Timestamp value exceeds limits
            """
        ),
        Recorded(
            "list-documents/rest collection with a slash",
            "/c?documentId=d%2Fe",
            "",
            "Resource id \"d/e\" is invalid because it contains \"/\"."
        ),
        .fault(
            "list-collection-ids/rest text size",
            ":listCollectionIds",
            #"{"pageSize":"abc"}"#,
            at: "page_size",
            "Invalid value at 'page_size' (TYPE_INT32), \"abc\""
        ),
        .fault(
            "list-collection-ids/rest unknown key",
            ":listCollectionIds",
            #"{"unknownField":1}"#,
            at: nil,
            "Invalid JSON payload received. Unknown name \"unknownField\": Cannot find field."
        ),
    ]
}
