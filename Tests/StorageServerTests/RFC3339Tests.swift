// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StorageServer

struct RFC3339Tests {
    @Test(
        "writes a time as it was read",
        arguments: [
            // More microseconds than a floating-point number distinguishes.
            "9999-12-31T23:59:59.999999Z", "2300-01-01T00:00:00.999999Z", "2026-11-21T00:51:46.653275Z",
            "1970-01-01T00:00:00.000000Z", "1969-12-31T23:59:59.999999Z", "1500-01-01T00:00:00.000001Z",
        ]
    )
    func comesBack(text: String) throws {
        #expect(RFC3339.fineText(microseconds: try #require(RFC3339.microseconds(text))) == text)
    }

    @Test(
        "reads no year of more than four digits",
        arguments: ["302026-09-30T18:30:00+02:00", "10000-01-01T00:00:00Z", "10000-01-01T00:00:00.5Z"]
    )
    func refuses(text: String) {
        #expect(RFC3339.microseconds(text) == nil)
    }
}
