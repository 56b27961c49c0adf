// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore
import Testing

@testable import StorageServer

/// Media types of v0 uploads that declare nothing in particular.
struct MediaTypeGuessTests {
    static let octets = "application/octet-stream"

    let fixture: StorageFixture

    init() throws { fixture = try StorageFixture() }

    @Test(
        "guesses by the extension alone",
        arguments: [
            ("a.txt", octets, "text/plain"), ("dir.png/a.TXT", nil, "text/plain"),
            ("a.tar.gz", octets, "application/gzip"),
            ("a.JPEG", "Application/Octet-Stream", "image/jpeg"), ("a.txt", "image/png", "image/png"),
            ("a.bin", octets, octets), ("a.bin", nil, nil), ("txt", octets, octets), (".txt", octets, octets),
            ("dir.txt/a", octets, octets), ("a.", octets, octets), ("a.txt/", octets, octets),
        ] as [(String, String?, String?)]
    )
    func guesses(name: String, declared: String?, expected: String?) throws {
        let name = try #require(ObjectName(name))
        #expect(MediaTypeGuess.type(declaredAs: declared, named: name) == expected)
    }

    /// Recorded from production in 2026: t-k/fireemu, `storage-object-production/firebase--list.json`.
    @Test(arguments: [("a.txt", "text/plain"), ("a.bin", octets)])
    func `stores the guessed type of every kind of v0 upload`(name: String, type: String) async throws {
        let target = "/v0/b/bkt/o?name=\(name)"
        for headers in [["Content-Type": Self.octets], [:]] {
            #expect(try await fixture.send(.post, target, headers, "x").json("contentType") == type)
        }
        let media = MultipartBody(mediaHeader: "Content-Type: \(Self.octets)").text
        let multipart = try await fixture.send(.post, target, MultipartBody.headers, media)
        #expect(try multipart.json("contentType") == type)
        let start = ["X-Goog-Upload-Command": "start", "X-Goog-Upload-Header-Content-Type": Self.octets]
        let address = try #require(try await fixture.send(.post, target, start, "{}")["X-Goog-Upload-URL"])
        let commands = ["X-Goog-Upload-Command": "upload, finalize", "X-Goog-Upload-Offset": "0"]
        let path = String(address.dropFirst("http://emulator.test:9199".count))
        #expect(try await fixture.send(.post, path, commands, "x").json("contentType") == type)
    }

    @Test func `keeps the type of a description, and guesses nothing for the JSON API`() async throws {
        let described = MultipartBody(
            metadata: "{\"contentType\":\"\(Self.octets)\"}",
            mediaHeader: "Content-Type: \(Self.octets)"
        )
        let answer = try await fixture.send(.post, "/v0/b/bkt/o?name=a.txt", MultipartBody.headers, described.text)
        #expect(try answer.json("contentType") == Self.octets)
        let target = "/upload/storage/v1/b/bkt/o?uploadType=media&name=a.txt"
        let json = try await fixture.send(.post, target, ["Content-Type": Self.octets], "x")
        #expect(try json.json("contentType") == Self.octets)
    }
}
