// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Testing

/// Copies that a client wants made in several calls.
struct RewriteTests {
    static let target = "/storage/v1/b/bkt/o/docs%2Fa.txt/rewriteTo/b/bkt/o/copy?maxBytesRewrittenPerCall="
    static let mebibyte: Int64 = 1 << 20

    /// Copies an object of 1.5 MiB; returns the answer to one call.
    private func rewrite(step: Int64, token: String? = nil) async throws -> Answer {
        let fixture = try StorageFixture()
        let upload = "/upload/storage/v1/b/bkt/o?uploadType=media&name=docs%2Fa.txt"
        let bytes = [UInt8](repeating: 1, count: Int(Self.mebibyte) * 3 / 2)
        try await fixture.send(.post, upload, [:], bytes: bytes)
        let coded = token.map { "&rewriteToken=\(Data($0.utf8).base64EncodedString().replacing("=", with: "%3D"))" }
        return try await fixture.send(.post, "\(Self.target)\(step)\(coded ?? "")", [:], "{}")
    }

    @Test func `is done in as many calls as it takes`() async throws {
        let first = try await rewrite(step: Self.mebibyte)
        #expect(try first.json("totalBytesRewritten") == "\(Self.mebibyte)")
        #expect(try first.json("resource") == nil)
        let last = try await rewrite(step: Self.mebibyte, token: "\(StorageFixture.time)/\(Self.mebibyte)")
        #expect(try last.json("resource.name") == "copy")
    }

    @Test(arguments: [mebibyte, .max - .max % mebibyte])
    func `takes a token that was made up for one of the last call`(step: Int64) async throws {
        let answer = try await rewrite(step: step, token: "\(StorageFixture.time)/\(Int64.max)")
        #expect(try answer.json("totalBytesRewritten") == answer.json("objectSize"))
        #expect(try answer.json("resource.name") == "copy")
    }
}
