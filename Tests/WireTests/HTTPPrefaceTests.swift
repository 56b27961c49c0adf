// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

struct HTTPPrefaceTests {
    @Test(
        arguments: [
            ("", .undecided), ("P", .undecided), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r", .undecided),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .http2), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0", .http2),
            ("G", .http1), ("POST", .http1), ("PUT", .http1), ("PRI * HTTP/1.1", .http1), ("\u{16}\u{3}", .http1),
            ("PRI * HTTP/2.0\r\n\r\nGET", .http1),
        ] as [(String, HTTPPreface.Verdict)]
    )
    func `tells the protocol by the first bytes`(start: String, verdict: HTTPPreface.Verdict) {
        #expect(HTTPPreface.verdict(on: Array(start.utf8)) == verdict)
    }
}
