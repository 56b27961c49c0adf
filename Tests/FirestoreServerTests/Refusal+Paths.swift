// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension RefusalTests.Refusal {
    static let paths = [
        missing("no API", "GET", "//favicon.ico"),
        missing("the Admin API", "GET", "//v1/projects/p/databases"),
        missing("an unknown verb", "POST", ":explode"),
        missing("a database's verb on a document", "POST", "/cities/SF:commit"),
        invalid("create at a document", "POST", "/cities/SF", message: #"Document parent name \"#),
        invalid("patch a collection", "PATCH", "/cities", message: #"Document name \"#),
        invalid("delete a collection", "DELETE", "/cities", message: #"cities\" lacks \"/\" at index"#),
        missing("an unknown method", "PUT", "/cities/SF"),
        missing("documents themselves", "GET", ""),
        invalid("an encoded slash", "GET", "/cities/a%2Fb", message: "Path segment 6 "),
        invalid("a broken escape", "GET", "/cities/%zz", message: "Path segment 6 "),
        invalid("bytes that are no text", "GET", "/cities/%ff", message: "Path segment 6 "),
        invalid("an empty id", "GET", "/cities/", message: "Path segment 6 "),
        invalid("a reserved id", "POST", "/cities?documentId=__x__", message: "because it is reserved"),
        invalid("a slash in a new id", "POST", "/cities?documentId=a%2Fb", message: "a/b"),
        invalid("a misspelt parameter", "GET", "/cities?pagesize=1", message: #"Field 'pagesize' could not be found"#),
        invalid("a parameter twice", "GET", "/cities?pageSize=1&pageSize=2", message: #"\"pageSize\" may appear"#),
        invalid(
            "no number",
            "GET",
            "/cities?pageSize=many",
            message: #"Invalid value at 'page_size' (TYPE_INT32), \"many\""#
        ),
        invalid(
            "no time",
            "DELETE",
            "/cities/SF?currentDocument.updateTime=now",
            message: "Invalid value at 'current_document.update_time'"
        ),
        invalid("a broken query", "GET", "/cities?pageSize=%", message: "broken percent escape"),
        invalid("no order", "GET", "/cities?orderBy=a+up", message: #"order by clause \"a up\""#),
        invalid("half an order", "GET", "/cities?orderBy=a,", message: #"order by clause \"a,\""#),
        invalid(
            "an order and missing documents",
            "GET",
            "/cities?orderBy=a+up&showMissing=true",
            message: "show_missing"
        ),
        invalid("a negative page of nothing", "GET", "/__x__?pageSize=-1", message: "Page size must be nonnegative."),
        invalid(
            "collections below a collection",
            "POST",
            "/cities:listCollectionIds",
            message: #"lacks \"/\" at index"#
        ),
        invalid(
            "two preconditions",
            "DELETE",
            "/cities/SF?currentDocument.exists=true&currentDocument.updateTime=2026-11-21T00:00:00Z",
            message: "exclude each other"
        ),
        Self(
            "missing documents for a user",
            "GET",
            "/cities?showMissing=true",
            authorization: nil,
            status: 403,
            code: "PERMISSION_DENIED",
            message: "Metadata operations require admin authentication."
        ),
    ]
}
