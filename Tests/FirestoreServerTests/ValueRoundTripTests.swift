// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import Testing

/// JSON in, store, JSON out.
struct ValueRoundTripTests {
    @Test(
        arguments: [
            (#"{"nullValue":null}"#, #"{"nullValue":null}"#),
            (#"{"nullValue":"NULL_VALUE"}"#, #"{"nullValue":null}"#),
            (#"{"booleanValue":false}"#, #"{"booleanValue":false}"#),
            (#"{"booleanValue":true}"#, #"{"booleanValue":true}"#),
            (#"{"integerValue":0}"#, #"{"integerValue":"0"}"#),
            (#"{"integerValue":"-9223372036854775808"}"#, #"{"integerValue":"-9223372036854775808"}"#),
            (#"{"integerValue":"9223372036854775807"}"#, #"{"integerValue":"9223372036854775807"}"#),
            (#"{"doubleValue":2.5}"#, #"{"doubleValue":2.5}"#),
            (#"{"doubleValue":"NaN"}"#, #"{"doubleValue":"NaN"}"#),
            (#"{"doubleValue":"Infinity"}"#, #"{"doubleValue":"Infinity"}"#),
            (#"{"doubleValue":"-Infinity"}"#, #"{"doubleValue":"-Infinity"}"#),
            (#"{"doubleValue":0}"#, #"{"doubleValue":0.0}"#),
            (#"{"doubleValue":-0.0}"#, #"{"doubleValue":-0.0}"#),
            (#"{"timestampValue":"2026-11-21T00:49:09Z"}"#, #"{"timestampValue":"2026-11-21T00:49:09Z"}"#),
            (
                #"{"timestampValue":"2026-11-21T00:49:09.123456789Z"}"#,
                #"{"timestampValue":"2026-11-21T00:49:09.123456Z"}"#
            ),
            (#"{"timestampValue":"0001-01-01T00:00:00Z"}"#, #"{"timestampValue":"0001-01-01T00:00:00Z"}"#),
            (#"{"stringValue":""}"#, #"{"stringValue":""}"#),
            (#"{"stringValue":"é \u0000 \" \\ 🔥"}"#, #"{"stringValue":"é \u0000 \" \\ 🔥"}"#),
            (#"{"stringValue":"\ud83d\ude00\uDBFF\uDFFD"}"#, #"{"stringValue":"😀\#u{10FFFD}"}"#),
            (#"{"stringValue":"\\\ud840\udc00 \u00e4 \\ud840\\udc00"}"#, #"{"stringValue":"\\𠀀 ä \\ud840\\udc00"}"#),
            (#"{"bytesValue":"AP8="}"#, #"{"bytesValue":"AP8="}"#),
            (#"{"bytesValue":"_-8"}"#, #"{"bytesValue":"/+8="}"#),
            (
                #"{"referenceValue":"projects/p/databases/d/documents/a/b"}"#,
                #"{"referenceValue":"projects/p/databases/d/documents/a/b"}"#
            ),
            (
                #"{"geoPointValue":{"latitude":-90,"longitude":180}}"#,
                #"{"geoPointValue":{"latitude":-90.0,"longitude":180.0}}"#
            ),
            (#"{"geoPointValue":{}}"#, #"{"geoPointValue":{}}"#),
            (#"{"arrayValue":{}}"#, #"{"arrayValue":{}}"#),
            (
                #"{"arrayValue":{"values":[{"integerValue":"1"},{"mapValue":{}}]}}"#,
                #"{"arrayValue":{"values":[{"integerValue":"1"},{"mapValue":{}}]}}"#
            ),
            (#"{"mapValue":{}}"#, #"{"mapValue":{}}"#),
            (
                #"{"mapValue":{"fields":{"b":{"nullValue":null},"a":{"arrayValue":{}}}}}"#,
                #"{"mapValue":{"fields":{"a":{"arrayValue":{}},"b":{"nullValue":null}}}}"#
            ),
            (
                #"{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"#
                    + #""value":{"arrayValue":{"values":[{"doubleValue":1},{"doubleValue":-2.5}]}}}}}"#,
                #"{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"#
                    + #""value":{"arrayValue":{"values":[{"doubleValue":1.0},{"doubleValue":-2.5}]}}}}}"#
            ),
        ]
    )
    func `returns a stored value`(sent: String, returned: String) async throws {
        let fixture = try FirestoreFixture()
        await fixture.send("POST", "/values?documentId=a", #"{"fields":{"v":\#(sent)}}"#)
        let response = await fixture.send("GET", "/values/a")
        #expect(response.text.contains(#","fields":{"v":\#(returned)},"createTime":"#), "\(response.text)")
    }

    @Test func `keeps encoded characters of ids`() async throws {
        let fixture = try FirestoreFixture()
        let created = await fixture.send("POST", "/caf%C3%A9s?documentId=a+b%2Bc:d", "")
        #expect(created.text.contains(#"/documents/cafés/a b+c:d""#))
        #expect(await fixture.send("GET", "/caf%c3%a9s/a%20b+c:d").text == created.text)
    }
}
