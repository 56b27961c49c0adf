// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

struct PercentCodingTests {
    @Test(
        arguments: [
            ("", ""), ("abc", "abc"), ("a%20b", "a b"), ("%C3%A9", "é"), ("%c3%a9", "é"), ("a+b", "a+b"), ("%", nil),
            ("%2", nil), ("%g0", nil), ("%+1", nil), ("%C3", nil), ("%ED%A0%80", nil),
        ] as [(String, String?)]
    )
    func `decodes a path segment`(text: String, decoded: String?) {
        #expect(PercentCoding.decode(Substring(text)) == decoded)
    }

    @Test func `reads a plus as a space in a query`() {
        #expect(PercentCoding.decode("a+b%2Bc", plusIsSpace: true) == "a b+c")
    }
}
