// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StorageServer

struct AcceptedEncodingsTests {
    @Test(
        "knows who takes gzip",
        arguments: [
            (nil, false), ("", false), ("identity", false), ("gzip", true), ("GZIP", true), ("x-gzip", true),
            ("deflate, gzip;q=1.0, *;q=0.5", true), ("gzip;q=0", false), ("gzip ; Q=0.000", false), ("*", true),
            ("*;q=0", false), ("gzip;q=0, *", false), ("br, deflate", false), ("gzip, gzip;q=0", true),
            (",,;q=1", false),
        ] as [(String?, Bool)]
    )
    func takesGzip(header: String?, isTaken: Bool) {
        #expect(AcceptedEncodings(header).takesGzip == isTaken)
    }
}
