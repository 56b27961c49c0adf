// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore
import Testing

/// Objects stored with gzip, as clients get them.
@Suite(.timeLimit(.minutes(5))) struct TranscodingTests {
    private static let addresses = ["/v0/b/bkt/o/a?alt=media", "/storage/v1/b/bkt/o/a?alt=media"]

    let fixture: StorageFixture
    let stored = gzip(Array("hello world".utf8))

    init() throws {
        fixture = try StorageFixture()
        try fixture.store(stored, at: "a")
    }

    @Test(arguments: addresses)
    func `decompresses for clients that do not take gzip`(address: String) async throws {
        for headers in [[:], ["Accept-Encoding": "identity"], ["Range": "bytes=0-3"], ["Range": "bytes=99-"]] {
            let answer = try await fixture.send(.get, address, headers)
            #expect(answer.status == 200)
            #expect(answer.text == "hello world")
            #expect(answer["Warning"] == "214 UploadServer gunzipped")
            #expect(answer["X-GUploader-Response-Body-Transformations"] == "gunzipped")
            #expect(answer["x-goog-stored-content-encoding"] == "gzip")
            #expect(answer["x-goog-stored-content-length"] == String(stored.count))
            #expect(answer["Accept-Ranges"] != "bytes")
            for name in ["Content-Encoding", "Content-Length", "Content-Range"] { #expect(answer[name] == nil) }
        }
    }

    @Test(arguments: addresses)
    func `sends the stored bytes to clients that take gzip`(address: String) async throws {
        let plain = try await fixture.send(.get, address)
        let whole = try await fixture.send(.get, address, ["Accept-Encoding": "gzip"])
        #expect(whole.bytes == stored)
        #expect(whole["Content-Encoding"] == "gzip")
        #expect(whole["Warning"] == nil)
        #expect(whole["x-goog-hash"] == plain["x-goog-hash"])
        #expect(whole["ETag"] == plain["ETag"])
        let part = try await fixture.send(.get, address, ["Accept-Encoding": "gzip", "Range": "bytes=0-3"])
        #expect(part.status == 206)
        #expect(part.bytes == Array(stored[..<4]))
    }

    @Test(
        "sends nothing compressed twice, even to clients that take gzip",
        arguments: [
            ("image/png", true), ("image/jpeg", true), ("IMAGE/PNG; a=b", true), ("audio/mpeg", true),
            ("video/mp4", true), ("application/zip", true), ("application/gzip", true), ("image/svg+xml", false),
            ("text/html", false), ("application/octet-stream", false),
        ]
    )
    func sendsNothingTwice(contentType: String, isDecompressed: Bool) async throws {
        try fixture.store(stored, at: "a", contentType: contentType)
        for address in Self.addresses {
            let answer = try await fixture.send(.get, address, ["Accept-Encoding": "gzip"])
            #expect(answer.bytes == (isDecompressed ? Array("hello world".utf8) : stored))
            #expect(answer["Content-Encoding"] == (isDecompressed ? nil : "gzip"))
            #expect(answer["Warning"] == (isDecompressed ? "214 UploadServer gunzipped" : nil))
            // Node's client validates no sums where these two differ.
            #expect(answer["x-goog-stored-content-encoding"] == "gzip")
        }
        try fixture.store(stored, at: "a", cacheControl: "no-transform", contentType: contentType)
        #expect(try await fixture.send(.get, Self.addresses[0], ["Accept-Encoding": "gzip"]).bytes == stored)
    }

    @Test(arguments: addresses)
    func `answers HEAD as it would GET`(address: String) async throws {
        let answer = try await fixture.send(.head, address)
        #expect(answer.status == 200)
        #expect(answer.bytes.isEmpty)
        #expect(answer["Warning"] == "214 UploadServer gunzipped")
        #expect(answer["Content-Length"] == nil)
        let stored = try await fixture.send(.head, address, ["Accept-Encoding": "gzip"])
        #expect(stored["Content-Length"] == String(self.stored.count))
        #expect(stored["Content-Encoding"] == "gzip")
    }

    @Test(arguments: addresses)
    func `leaves alone what must not be transformed, or is not gzip`(address: String) async throws {
        for (bytes, cacheControl) in [(stored, "public, No-Transform"), (Array("text".utf8), nil), ([], nil)] {
            try fixture.store(bytes, at: "a", cacheControl: cacheControl)
            let answer = try await fixture.send(.get, address)
            #expect(answer.bytes == bytes)
            #expect(answer["Content-Encoding"] == "gzip")
            #expect(answer["Content-Length"] == String(bytes.count))
        }
    }

    @Test(arguments: addresses, [[:], ["Range": "bytes=0-3"], ["Range": "bytes=99-"]])
    func `refuses what cannot be decompressed instead of an answer that breaks off`(
        address: String,
        headers: [String: String]
    ) async throws {
        var changed = stored
        changed[stored.count - 5] ^= 1
        for bytes in [changed, Array(stored.dropLast()), Array(stored[..<12])] {
            try fixture.store(bytes, at: "a")
            for method in [HTTPRequest.Method.get, .head] {
                let answer = try await fixture.send(method, address, headers)
                #expect(answer.status == 400)
                #expect(answer.text.contains("not the gzip that its contentEncoding promises") || method == .head)
            }
        }
    }

    @Test(arguments: addresses, [[:], ["Range": "bytes=0-3"]])
    func `answers whole what is followed by other bytes`(address: String, headers: [String: String]) async throws {
        try fixture.store(stored + Array("behind its end".utf8), at: "a")
        let answer = try await fixture.send(.get, address, headers)
        #expect(answer.status == 200)
        #expect(answer.text == "hello world")
    }

    @Test func `minds conditions before it decompresses`() async throws {
        let tag = try #require(try await fixture.send(.get, Self.addresses[0])["ETag"])
        #expect(try await fixture.send(.get, Self.addresses[0], ["If-None-Match": tag]).status == 304)
    }

    @Test func `sends decompressed bytes in chunks, and none after HEAD`() async throws {
        let end = Array("\r\n0\r\n\r\n".utf8)
        try await LiveServer.run { server in
            try server.fixture.store(gzip([UInt8](repeating: 120, count: 700_000)), at: "a")
            let answer = try await server.exchange(request("GET", Self.addresses[1]))
            let head = String(decoding: answer.prefix(1_000), as: UTF8.self).lowercased()
            #expect(head.contains("\r\ntransfer-encoding: chunked\r\n"))
            #expect(!head.contains("\r\ncontent-length:"))
            let count = answer.count { $0 == 120 }
            #expect(count >= 700_000)
            #expect(Array(answer.suffix(end.count)) == end)
            let bare = try await server.exchange(request("HEAD", Self.addresses[1]))
            #expect(bare.starts(with: Array("HTTP/1.1 200".utf8)))
            #expect(Array(bare.suffix(4)) == Array("\r\n\r\n".utf8))
            #expect(Array(bare.suffix(end.count)) != end)
        }
    }

    private func request(_ method: String, _ address: String) -> [UInt8] {
        Array("\(method) \(address) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    }

    @Test func `breaks the connection when the bytes cannot be decompressed`() async throws {
        try await LiveServer.run { server in
            // Random bytes, which take several pieces of input.
            let bytes = (0..<500_000).map { _ in UInt8.random(in: .min ... .max) }
            try server.fixture.store(gzip(bytes).dropLast(), at: "a")
            let answer = try await server.exchange(request("GET", Self.addresses[0]))
            #expect(answer.starts(with: Array("HTTP/1.1 200".utf8)))
            let count = answer.count
            #expect(count > 400_000)
            #expect(Array(answer.suffix(7)) != Array("\r\n0\r\n\r\n".utf8))
        }
    }
}

extension StorageFixture {
    /// Stores bytes as gzip at a name in the bucket `bkt`.
    func store(
        _ bytes: some Sequence<UInt8>,
        at name: String,
        cacheControl: String? = nil,
        contentType: String = "text/plain"
    ) throws {
        let upload = try store.beginUpload()
        try Array(bytes).withUnsafeBytes { try upload.append($0) }
        let path = try #require(ObjectPath(bucket: "bkt", name: name))
        let attributes = ObjectAttributes(
            contentType: contentType,
            contentEncoding: "gzip",
            cacheControl: cacheControl
        )
        _ = try upload.commit(to: path, attributes: attributes)
    }
}
