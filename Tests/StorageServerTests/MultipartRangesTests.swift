// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import StorageServer

/// Several ranges in one answer (RFC 9110 section 14.6).
struct MultipartRangesTests {
    @Test func `frames each range with its place`() {
        let ranges = MultipartRanges([0..<2, 10..<11], of: 11, contentType: "text/plain", boundary: "b")
        #expect(ranges.contentType == "multipart/byteranges; boundary=b")
        let headings = [
            "--b\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-1/11\r\n\r\n",
            "\r\n--b\r\nContent-Type: text/plain\r\nContent-Range: bytes 10-10/11\r\n\r\n",
        ]
        #expect(ranges.parts.map(\.heading) == headings)
        #expect(ranges.ending == "\r\n--b--\r\n")
        #expect(ranges.byteCount == headings.joined().utf8.count + 3 + 9)
    }

    @Test func `draws another boundary for every answer`() {
        let boundaries = (0..<100).map { _ in MultipartRanges([0..<1, 2..<3], of: 9, contentType: "a/b").contentType }
        #expect(Set(boundaries).count == 100)
    }

    @Test(
        "answers several ranges by every API",
        arguments: ["/v0/b/bkt/o/docs%2Fa.txt?alt=media", "/b/bkt/o/docs%2Fa.txt?alt=media", "/bkt/docs/a.txt"]
    )
    func answers(target: String) async throws {
        let fixture = try StorageFixture()
        try await fixture.putHello()
        let answer = try await fixture.send(.get, target, ["Range": "bytes=6-,0-1"])
        #expect(answer.status == 206)
        #expect(answer["Content-Range"] == nil)
        let boundary = try #require(answer["Content-Type"]?.split(separator: "=").last)
        let expected = [
            "--\(boundary)", "Content-Type: text/plain", "Content-Range: bytes 6-10/11", "", "world",
            "--\(boundary)", "Content-Type: text/plain", "Content-Range: bytes 0-1/11", "", "he",
            "--\(boundary)--", "",
        ].joined(separator: "\r\n")
        #expect(answer.text == expected)
        #expect(answer["Content-Length"] == "\(expected.utf8.count)")
    }

    @Test func `minds If-Range and ignores too many ranges`() async throws {
        let fixture = try StorageFixture()
        try await fixture.putHello()
        let tag = FirebaseDownloadTests.tag
        let many = (0...RangeHeader.rangeCountMax).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ",")
        let cases = [
            (["If-Range": tag, "Range": "bytes=0-0,2-2"], 206), (["If-Range": "\"x\"", "Range": "bytes=0-0,2-2"], 200),
            (["If-Range": "W/\(tag)", "Range": "bytes=0-0,2-2"], 200), (["Range": "bytes=\(many)"], 200),
            (["Range": "bytes=11-,-0"], 416),
        ]
        for (headers, status) in cases {
            #expect(try await fixture.send(.get, "/bkt/docs/a.txt", headers).status == status, "\(headers)")
        }
    }

    @Test func `takes the tag of the JSON API in quotes as well`() async throws {
        let fixture = try StorageFixture()
        try await fixture.putHello()
        for tag in ["CNGTm8DplpcDEAE=", "\"CNGTm8DplpcDEAE=\""] {
            let headers = ["If-Range": tag, "Range": "bytes=0-1"]
            #expect(try await fixture.send(.get, "/b/bkt/o/docs%2Fa.txt?alt=media", headers).status == 206)
        }
    }
}
