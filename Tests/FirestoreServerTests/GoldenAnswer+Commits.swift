// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension GoldenAnswer {
    private static let createSF = Step(
        "POST",
        "/cities?documentId=SF",
        #"{"fields":{"pop":{"integerValue":"870000"},"tags":{"arrayValue":{"values":[{"stringValue":"old"}]}}}}"#
    )

    private static let everyTransform = #"""
        [{"fieldPath":"seen","setToServerValue":"REQUEST_TIME"},
         {"fieldPath":"pop","increment":{"integerValue":"5"}},
         {"fieldPath":"tags","appendMissingElements":{"values":[{"stringValue":"bay"}]}},
         {"fieldPath":"mx","maximum":{"doubleValue":2.5}},
         {"fieldPath":"mn","minimum":{"doubleValue":-2.5}},
         {"fieldPath":"tags","removeAllFromArray":{"values":[{"stringValue":"old"}]}}]
        """#

    private static let commitAll = Step(
        "POST",
        ":commit",
        #"""
        {"writes":[
          {"update":{"name":"C/SF","fields":{"mayor":{"stringValue":"DL"}}},"updateMask":{"fieldPaths":["mayor"]},
           "currentDocument":{"exists":true},"updateTransforms":\#(everyTransform)},
          {"update":{"name":"C/LA","fields":{"pop":{"integerValue":"3900000"}}}},
          {"delete":"C/none"}]}
        """#
    )

    private static let writeLA = Step(
        "POST",
        ":commit",
        #"{"writes":[{"update":{"name":"C/LA","fields":{"pop":{"integerValue":"3900000"}}}}]}"#
    )

    static let commits = [
        GoldenAnswer(
            "commit with every transform",
            before: [createSF],
            commitAll,
            #"{"writeResults":[{"updateTime":"T2","transformResults":[{"timestampValue":"2026-11-21T00:49:09.100Z"},"#
                + #"{"integerValue":"870005"},{"nullValue":null},{"doubleValue":2.5},{"doubleValue":-2.5},"#
                + #"{"nullValue":null}]},{"updateTime":"T2"},{}],"commitTime":"T2"}"#
        ),
        GoldenAnswer(
            "the document after every transform",
            before: [createSF, commitAll],
            Step("GET", "/cities/SF"),
            #"{"name":"C/SF","fields":{"mayor":{"stringValue":"DL"},"mn":{"doubleValue":-2.5},"#
                + #""mx":{"doubleValue":2.5},"pop":{"integerValue":"870005"},"#
                + #""seen":{"timestampValue":"2026-11-21T00:49:09.100Z"},"#
                + #""tags":{"arrayValue":{"values":[{"stringValue":"bay"}]}}},"createTime":"T1","updateTime":"T2"}"#
        ),
        GoldenAnswer(
            "commit without effect keeps the update time",
            before: [writeLA],
            writeLA,
            #"{"writeResults":[{"updateTime":"T1"}],"commitTime":"T2"}"#
        ),
        GoldenAnswer("commit of nothing", Step("POST", ":commit", #"{"writes":[]}"#), "{}"),
        GoldenAnswer(
            "verify what exists and what does not",
            before: [writeLA],
            Step(
                "POST",
                ":commit",
                #"{"writes":[{"verify":"C/LA","currentDocument":{"exists":true}},"#
                    + #"{"verify":"C/SF","currentDocument":{"exists":false}}]}"#
            ),
            #"{"writeResults":[{"updateTime":"T1"},{}],"commitTime":"T2"}"#
        ),
        GoldenAnswer(
            "verify a document that changed",
            before: [writeLA],
            Step(
                "POST",
                ":commit",
                #"{"writes":[{"verify":"C/LA","currentDocument":{"updateTime":"2026-11-21T00:49:08Z"}}]}"#
            ),
            status: 400,
            #"{"error":{"code":400,"message":"the stored version (1795222149100001) does not match the required "#
                + #"base version (1795222148000000)","status":"FAILED_PRECONDITION"}}"#
        ),
        GoldenAnswer(
            "a transform alone",
            before: [writeLA],
            Step(
                "POST",
                ":commit",
                #"{"writes":[{"transform":{"document":"C/LA","fieldTransforms":"#
                    + #"[{"fieldPath":"pop","increment":{"integerValue":"1"}}]}}]}"#
            ),
            #"{"writeResults":[{"updateTime":"T2","transformResults":[{"integerValue":"3900001"}]}],"#
                + #""commitTime":"T2"}"#
        ),
        GoldenAnswer(
            "batch write with one failure",
            before: [writeLA],
            Step(
                "POST",
                ":batchWrite",
                #"{"writes":[{"update":{"name":"C/LA"},"currentDocument":{"exists":false}},{"update":{"name":"C/SF"}}]}"#
            ),
            #"{"writeResults":[{},{"updateTime":"T3"}],"status":[{"code":6,"message":"Document already exists: "#
                + #"projects/demo/databases/(default)/documents/cities/LA"},{}]}"#
        ),
    ]
}
