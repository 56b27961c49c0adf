// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

/// The caching header fields, as recorded from production in 2026.
struct CachingTests {
    static let never = "no-cache, no-store, max-age=0, must-revalidate"
    static let object = "docs%2Fa.txt"

    let fixture: StorageFixture

    init() async throws {
        fixture = try StorageFixture()
        try await fixture.putHello()
        let patch = "{\"cacheControl\":\"public, max-age=60\"}"
        try await fixture.send(.patch, "/v0/b/bkt/o/\(Self.object)", [:], patch)
    }

    @Test(
        "tells caches",
        arguments: [
            ("GET", "/v0/b/bkt/o/\(object)", [:], "private, max-age=0"),
            ("GET", "/v0/b/bkt/o/none", [:], "private, max-age=0"), ("GET", "/v0/b/bkt/o", [:], "private, max-age=0"),
            ("PATCH", "/v0/b/bkt/o/\(object)", [:], nil),
            ("DELETE", "/v0/b/bkt/o/\(object)", [:], "private, max-age=0"),
            ("GET", "/v0/b/bkt/o/\(object)?alt=media", [:], "public, max-age=60"),
            ("GET", "/v0/b/bkt/o/\(object)?alt=media", ["Authorization": "Bearer owner"], never),
            ("GET", "/b/bkt/o/\(object)", [:], "private, max-age=0, must-revalidate, no-transform"),
            ("GET", "/b/bkt/o", [:], "private, max-age=0, must-revalidate, no-transform"),
            ("GET", "/b/bkt/o/none", [:], never), ("PATCH", "/b/bkt/o/\(object)", [:], never),
            ("DELETE", "/b/bkt/o/\(object)", [:], never),
            ("GET", "/b/bkt/o/\(object)?alt=media", [:], never),
            ("GET", "/b/bkt/o/none?alt=media", [:], "private, max-age=0"),
        ] as [(String, String, [String: String], String?)]
    )
    func caching(method: String, path: String, headers: [String: String], expected: String?) async throws {
        let answer = try await fixture.send(try #require(.init(method)), path, headers, "{}")
        #expect(answer["Cache-Control"] == expected)
        #expect(answer["Pragma"] == (expected == Self.never ? "no-cache" : nil))
        switch expected {
        case nil, "public, max-age=60": #expect(answer["Expires"] == nil)
        case Self.never: #expect(answer["Expires"] == "Mon, 01 Jan 1990 00:00:00 GMT")
        default: #expect(answer["Expires"]?.hasSuffix(" GMT") == true)
        }
    }

    @Test func `tells the v0 API's JSON from what browsers might take it for`() async throws {
        let patch = "{\"contentType\":\"application/json\"}"
        let json = try await fixture.send(.patch, "/v0/b/bkt/o/\(Self.object)", [:], patch)
        #expect(json["X-Content-Type-Options"] == "nosniff")
        let media = try await fixture.send(.get, "/v0/b/bkt/o/\(Self.object)?alt=media")
        #expect(media["Content-Type"] == "application/json")
        #expect(media["X-Content-Type-Options"] == nil)
        #expect(media["Access-Control-Allow-Origin"] == nil)
    }
}
