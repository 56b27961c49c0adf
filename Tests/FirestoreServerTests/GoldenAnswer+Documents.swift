// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension GoldenAnswer {
    private static let createSF = Step(
        "POST",
        "/cities?documentId=SF",
        #"{"fields":{"pop":{"integerValue":"860000"},"gone":{"booleanValue":true}}}"#
    )

    static let documents = [
        GoldenAnswer(
            "create with an id",
            createSF,
            #"{"name":"C/SF","fields":{"gone":{"booleanValue":true},"pop":{"integerValue":"860000"}},"#
                + #""createTime":"T1","updateTime":"T1"}"#
        ),
        GoldenAnswer(
            "create without id and fields",
            Step("POST", "/cities", ""),
            #"{"name":"C/idOf20CharactersLong","createTime":"T1","updateTime":"T1"}"#
        ),
        GoldenAnswer(
            "create again",
            before: [createSF],
            createSF,
            status: 409,
            #"{"error":{"code":409,"message":"Document already exists: "#
                + #"projects/demo/databases/(default)/documents/cities/SF","status":"ALREADY_EXISTS"}}"#
        ),
        GoldenAnswer(
            "create and return one field",
            Step("POST", "/cities?documentId=SF&mask.fieldPaths=pop", createSF.body),
            #"{"name":"C/SF","fields":{"pop":{"integerValue":"860000"}},"createTime":"T1","updateTime":"T1"}"#
        ),
        GoldenAnswer(
            "get",
            before: [createSF],
            Step("GET", "/cities/SF?mask.fieldPaths=pop"),
            #"{"name":"C/SF","fields":{"pop":{"integerValue":"860000"}},"createTime":"T1","updateTime":"T1"}"#
        ),
        GoldenAnswer(
            "get a missing document",
            Step("GET", "/cities/nope"),
            status: 404,
            #"{"error":{"code":404,"message":"Document \"projects/demo/databases/(default)/documents/cities/nope\" "#
                + #"not found.","status":"NOT_FOUND"}}"#
        ),
        GoldenAnswer(
            "patch masked fields, one of which goes",
            before: [createSF],
            Step(
                "PATCH",
                "/cities/SF?updateMask.fieldPaths=pop&updateMask.fieldPaths=gone&currentDocument.exists=true",
                #"{"name":"C/SF","fields":{"pop":{"integerValue":870000}}}"#
            ),
            #"{"name":"C/SF","fields":{"pop":{"integerValue":"870000"}},"createTime":"T1","updateTime":"T2"}"#
        ),
        GoldenAnswer(
            "patch without a mask replaces",
            before: [createSF],
            Step("PATCH", "/cities/SF", #"{"fields":{"mayor":{"stringValue":"DL"}}}"#),
            #"{"name":"C/SF","fields":{"mayor":{"stringValue":"DL"}},"createTime":"T1","updateTime":"T2"}"#
        ),
        GoldenAnswer(
            "patch a missing document that must exist",
            Step("PATCH", "/cities/SF?currentDocument.exists=true", "{}"),
            status: 404,
            #"{"error":{"code":404,"message":"No document to update: "#
                + #"projects/demo/databases/(default)/documents/cities/SF","status":"NOT_FOUND"}}"#
        ),
        GoldenAnswer(
            "patch at the right update time, given in nanoseconds",
            before: [createSF],
            Step("PATCH", "/cities/SF?currentDocument.updateTime=2026-11-21T00%3A49%3A09.100001000Z", "{}"),
            #"{"name":"C/SF","createTime":"T1","updateTime":"T2"}"#
        ),
        GoldenAnswer("delete", before: [createSF], Step("DELETE", "/cities/SF"), "{}"),
        GoldenAnswer("delete a missing document", Step("DELETE", "/cities/SF"), "{}"),
    ]
}
