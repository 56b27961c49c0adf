// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import HTTPTypes
import Testing

@testable import StorageServer

/// V2 signed URLs.
struct LegacySignedURLTests {
    static let expiry = SignedURLTests.second + 600

    /// The target of a URL signed for a request; `query` is one that the signer leaves out, as Node's library does.
    static func target(
        _ signer: URLSigner,
        _ method: String = "GET",
        headers: String = "",
        contentType: String = "",
        signedQuery: String = "",
        query: String = ""
    ) throws -> String {
        let path = "/bkt/docs/a.txt"
        let resource = signedQuery.isEmpty ? path : "\(path)?\(signedQuery)"
        let message = "\(method)\n\n\(contentType)\n\(expiry)\n\(headers)\(resource)"
        let bytes = try #require(Hexadecimal.decode(signer.sign(message, day: "")))
        let signature = Data(bytes).base64EncodedString().replacing("+", with: "%2B").replacing("/", with: "%2F")
        let account = URLSigner.account.replacing("@", with: "%40")
        let parts = ["GoogleAccessId=\(account)", "Expires=\(expiry)", "Signature=\(signature)", signedQuery, query]
        return "\(path)?\(parts.filter { !$0.isEmpty }.joined(separator: "&"))"
    }

    @Test func `takes what is signed and refuses what is not`() async throws {
        let (signer, other) = (try URLSigner.serviceAccount(), try URLSigner.serviceAccount())
        let keys = try signer.keys()
        let start = "x-goog-resumable:start\n"
        let cases: [(String, String, [String: String], Int)] = [
            ("GET", try Self.target(signer), [:], 200), ("GET", try Self.target(other), [:], 403),
            ("PUT", try Self.target(signer), [:], 403), ("DELETE", try Self.target(signer, "DELETE"), [:], 204),
            ("PUT", try Self.target(signer, "PUT", contentType: "a/b"), ["Content-Type": "a/b"], 200),
            ("PUT", try Self.target(signer, "PUT", contentType: "a/b"), ["Content-Type": "a/c"], 403),
            ("GET", try Self.target(signer, query: "response-content-type=a%2Fb"), [:], 200),
            ("GET", try Self.target(signer, signedQuery: "response-content-type=a%2Fb"), [:], 200),
            ("POST", try Self.target(signer, "POST", headers: start), ["X-Goog-Resumable": "start"], 201),
            ("POST", try Self.target(signer, "POST"), ["X-Goog-Resumable": "start"], 403),
            ("GET", try Self.target(signer).replacing("signer%40", with: "other%40"), [:], 403),
        ]
        for (method, target, headers, status) in cases {
            let answer = try await SignedURLTests.send(method, target, headers, keys: keys)
            #expect(answer.status == status, "\(method) \(target)")
        }
    }

    @Test func `expires with and without keys`() async throws {
        let signer = try URLSigner.serviceAccount()
        let target = try Self.target(signer)
        for keys in [SigningKeys(), try signer.keys()] {
            #expect(try await SignedURLTests.send("GET", target, keys: keys, second: Self.expiry).status == 200)
            let late = try await SignedURLTests.send("GET", target, keys: keys, second: Self.expiry + 1)
            #expect(late.code == "ExpiredToken")
        }
        for bad in ["Expires=x", "Expires=1&Signature=!", "Signature=AAAA"] {
            let answer = try await SignedURLTests.send("GET", "/bkt/docs/a.txt?GoogleAccessId=a&\(bad)")
            #expect(answer.code == "InvalidArgument", "\(bad)")
        }
    }
}
