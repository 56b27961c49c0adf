// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import Testing

@testable import FirestoreServer

struct QueryParametersTests {
    @Test func `takes both spellings of a name and every value of a list`() throws {
        var parameters = try QueryParameters("update_mask.field_paths=a.b&updateMask.fieldPaths=%60c+d%60")
        #expect(parameters.list("updateMask.fieldPaths") == ["a.b", "`c d`"])
        try parameters.finish()
    }

    @Test func `takes typed values`() throws {
        var parameters = try QueryParameters("flag=false&size=7&time=1970-01-01T00:00:01Z")
        #expect(try parameters.flag("flag") == false)
        #expect(try parameters.parsed("size", as: Google_Protobuf_Int32Value.self)?.value == 7)
        #expect(try parameters.parsed("time", as: Google_Protobuf_Timestamp.self)?.seconds == 1)
        #expect(try parameters.single("time") == nil)
    }

    @Test func `takes what is about the transport apart`() throws {
        let queries = [
            "", "key=abc&$key=a&quotaUser=x&$quotaUser=x&userProject=p&$userProject=p&$unique=1&$ct=a&zx=1",
            "upload_protocol=raw&uploadType=media&access_token=t&oauth_token=t&pp=1&$.xgafv=2&callback=f",
            "$alt=json;enum-encoding=int&alt=json&$fields=a&fields=a&$prettyPrint=true&prettyPrint=false",
        ]
        for query in queries {
            try QueryParameters(Substring(query)).finish()
        }
    }

    @Test(arguments: ["x", "Alt=json", "$x=1", "$req={}", "$httpMethod=DELETE", "$outputDefaults=true"])
    func `refuses what would change the meaning`(query: String) throws {
        let parameters = try QueryParameters(Substring(query))
        #expect(throws: CallError.self) { try parameters.finish() }
    }
}
