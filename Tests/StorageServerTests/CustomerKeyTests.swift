// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Testing

@testable import StorageServer

/// Objects under keys of their customers.
struct CustomerKeyTests {
    static let keys = [UInt8(1), 2].map { byte in
        [
            "x-goog-encryption-algorithm": CustomerKey.algorithm,
            "x-goog-encryption-key": Data(repeating: byte, count: 32).base64EncodedString(),
        ]
    }
    static let upload = "/upload/b/bkt/o?uploadType=media&name=a"
    static let object = "/b/bkt/o/a"

    let fixture: StorageFixture

    init() throws { fixture = try StorageFixture() }

    private func showsSums(_ answer: Answer, _ path: String = "") throws -> Bool {
        let sums = try [answer.json(path + "crc32c"), answer.json(path + "md5Hash")]
        #expect(answer.status == 200)
        #expect((sums[0] == nil) == (sums[1] == nil))
        return sums[0] != nil
    }

    @Test func `shows the sums to those who bring the key`() async throws {
        #expect(try showsSums(try await fixture.send(.post, Self.upload, Self.keys[0], "secret")))
        #expect(try showsSums(try await fixture.send(.get, Self.object, Self.keys[0])))
        for address in [Self.object, "/v0" + Self.object] {
            #expect(try !showsSums(try await fixture.send(.get, address)))
            #expect(try !showsSums(try await fixture.send(.patch, address, [:], "{}")))
        }
        #expect(try !showsSums(try await fixture.send(.get, "/b/bkt/o"), "items.0."))
        #expect(try await fixture.send(.get, Self.object, Self.keys[1]).status == 400)
        #expect(try showsSums(try await fixture.send(.post, Self.upload, [:], "open")))
        #expect(try showsSums(try await fixture.send(.get, "/b/bkt/o"), "items.0."))
    }

    @Test func `shows the sums of a resumable upload that began with the key`() async throws {
        let start = try await fixture.send(.post, "/upload/b/bkt/o?uploadType=resumable&name=a", Self.keys[0], "{}")
        let address = try #require(start["Location"]).dropFirst("http://emulator.test:9199".count)
        #expect(try showsSums(try await fixture.send(.put, String(address), [:], "secret")))
        #expect(try !showsSums(try await fixture.send(.get, Self.object)))
    }

    @Test func `shows the sums of a copy under another key`() async throws {
        try await fixture.send(.post, Self.upload, Self.keys[0], "secret")
        var headers = Self.keys[1]
        for (name, value) in Self.keys[0] {
            headers[name.replacing("x-goog-encryption", with: "x-goog-copy-source-encryption")] = value
        }
        let rotated = try await fixture.send(.post, "\(Self.object)/rewriteTo\(Self.object)", headers)
        #expect(try showsSums(rotated, "resource."))
        #expect(try showsSums(try await fixture.send(.get, Self.object, Self.keys[1])))
        #expect(try !showsSums(try await fixture.send(.get, Self.object)))
    }
}
