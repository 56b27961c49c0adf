// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Testing

@testable import StorageServer

struct CanonicalRequestTests {
    @Test func `sorts and codes the query, and collapses spaces`() {
        let request = CanonicalRequest(
            method: "GET",
            path: "/bkt/a",
            query: [
                ("prefix", "/foo"), ("X-Goog-Meta-Foo", "bar"), ("acl", ""), ("aA0é/=%-_.~", "~ ._-%=/é0Aa"),
                ("prefix", "+"), ("x-goog-signature", "00"), ("X-Goog-Signature", "00"),
            ],
            headers: [("bar", " a,\t b  "), ("host", "h")],
            payload: "hash"
        )
        let query = [
            "X-Goog-Meta-Foo=bar", "aA0%C3%A9%2F%3D%25-_.~=~%20._-%25%3D%2F%C3%A90Aa", "acl=", "prefix=%2B",
            "prefix=%2Ffoo",
        ].joined(separator: "&")
        #expect(request.text == "GET\n/bkt/a\n\(query)\nbar:a, b\nhost:h\n\nbar;host\nhash")
        let text = request.stringToSign(.rsa, date: "d", scope: "s")
        #expect(text.hasPrefix("GOOG4-RSA-SHA256\nd\ns\n"))
        #expect(text.utf8.count == 21 + 64)
    }

    @Test(
        "computes HMAC-SHA-256 as RFC 4231 has it",
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ]
    )
    func hmac(key: [UInt8], message: String, expected: String) {
        let digest = MessageDigest.hmac(key: key, of: Array(message.utf8))
        #expect(Hexadecimal.encode(digest) == expected)
        #expect(Hexadecimal.decode(expected.uppercased()) == digest)
    }

    @Test(arguments: ["a", "0g", "é", "0x", " 0"])
    func `decodes nothing but pairs of digits`(text: String) {
        #expect(Hexadecimal.decode(text) == nil)
    }

    @Test(
        "reads times",
        arguments: [
            ("20190201T090000Z", 1_549_011_600), ("19700101T000000Z", 0), ("20240229T235959Z", 1_709_251_199),
            ("20230229T000000Z", nil), ("20190201T240000Z", nil), ("20190201T090060Z", nil), ("20191301T000000Z", nil),
            ("20190201 090000Z", nil), ("20190201T090000", nil), ("2019020+T090000Z", nil), ("", nil),
        ] as [(String, Int64?)]
    )
    func times(text: String, expected: Int64?) {
        #expect(UTCTime.seconds(basic: text) == expected)
    }

    @Test(
        "reads times of HTTP",
        arguments: [
            ("Thu, 23 Jan 2020 04:35:40 GMT", 1_579_754_140), ("Thu, 23 Xxx 2020 04:35:40 GMT", nil),
            ("Thursday, 23-Jan-20 04:35:40 GMT", nil), ("Thu, 23 Jan 2020 04:35 GMT", nil),
            ("Thu, 23 Jan 2020 04:35:40 UTC", nil), ("Z", nil),
        ] as [(String, Int64?)]
    )
    func httpTimes(text: String, expected: Int64?) {
        #expect(UTCTime.seconds(http: text) == expected)
    }

    @Test func `writes times`() {
        #expect(UTCTime.text(seconds: 0) == "1970-01-01T00:00:00")
    }
}
