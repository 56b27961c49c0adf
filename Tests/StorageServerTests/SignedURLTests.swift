// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Testing
import Wire

@testable import StorageServer

/// V4 signed URLs.
struct SignedURLTests {
    /// Who signs.
    enum Signer: CaseIterable {
        case serviceAccount
        case hmac

        func make() throws -> URLSigner {
            switch self {
            case .serviceAccount: try .serviceAccount()
            case .hmac: .hmac(secret: "secret")
            }
        }
    }

    static let second = StorageFixture.time / 1_000_000

    /// Sends a request to a server with an object; returns its status and the error's code.
    static func send(
        _ method: String,
        _ target: String,
        _ headers: [String: String] = [:],
        keys: SigningKeys = SigningKeys(),
        second: Int64 = Self.second
    ) async throws -> (status: Int, code: String?) {
        let fixture = try StorageFixture(signingKeys: keys, serverTime: second * 1_000_000)
        try await fixture.putHello()
        let answer = try await fixture.send(try #require(.init(method)), target, headers)
        let isFailure = answer.status >= 400
        return (answer.status, isFailure ? try XMLReader.read(answer.bytes)["Code"]?.text : nil)
    }

    @Test(arguments: Signer.allCases)
    func `takes what is signed and refuses what is not`(kind: Signer) async throws {
        let signer = try kind.make()
        let keys = try signer.keys()
        let other = try URLSigner.serviceAccount()
        let cases: [(String, String, [String: String], Int)] = [
            ("GET", signer.target(.init()), [:], 200), ("HEAD", signer.target(.init(method: "HEAD")), [:], 200),
            ("DELETE", signer.target(.init(method: "DELETE")), [:], 204),
            ("PUT", signer.target(.init(method: "PUT")), ["Content-Type": "a/b"], 200),
            ("HEAD", signer.target(.init()), [:], 403), ("PUT", signer.target(.init()), [:], 403),
            ("GET", signer.target(.init()) + "&generation=\(StorageFixture.time)", [:], 403),
            ("GET", signer.target(.init(query: "generation=\(StorageFixture.time)")), [:], 200),
            ("GET", signer.target(.init(query: "response-content-type=a%2Fb")), [:], 200),
            ("GET", signer.target(.init()).replacing("a.txt", with: "b.txt"), [:], 403),
            ("GET", signer.target(.init()).replacing("Expires=600", with: "Expires=601"), [:], 403),
            ("GET", other.target(.init()), [:], 403),
            ("GET", signer.target(.init()).replacing("signer%40", with: "other%40"), [:], 403),
            ("GET", signer.target(.init(headers: [("x-goog-a", "b")])), ["x-goog-a": "b"], 200),
            ("GET", signer.target(.init(headers: [("x-goog-a", "b c")])), ["X-Goog-A": "b \t  c"], 200),
            ("GET", signer.target(.init(headers: [("x-goog-a", "b")])), ["x-goog-a": "c"], 403),
            ("GET", signer.target(.init(headers: [("x-goog-a", "b")])), [:], 400),
            ("GET", signer.target(.init()), ["x-goog-b": "not signed"], 200),
            (
                "PUT", signer.target(.init(method: "PUT", headers: [("content-type", "a/b")])), ["Content-Type": "a/c"],
                403
            ),
        ]
        for (method, target, headers, status) in cases {
            let answer = try await Self.send(method, target, headers, keys: keys)
            #expect(answer.status == status, "\(method) \(target)")
            if status == 403 { #expect(answer.code == "SignatureDoesNotMatch") }
            if status == 400 { #expect(answer.code == "MalformedSecurityHeader") }
        }
    }

    @Test(
        "knows a host by all its names",
        arguments: [
            ("emulator.test:9199", "/bkt/docs/a.txt", 200), ("emulator.test", "/bkt/docs/a.txt", 200),
            ("storage.googleapis.com", "/bkt/docs/a.txt", 200), ("elsewhere.test", "/bkt/docs/a.txt", 403),
        ]
    )
    func hosts(host: String, path: String, status: Int) async throws {
        let signer = URLSigner.hmac(secret: "s")
        let answer = try await Self.send("GET", signer.target(.init(path: path, host: host)), keys: signer.keys())
        #expect(answer.status == status)
    }

    @Test func `takes a URL of the virtual host style that was pointed here`() async throws {
        let signer = URLSigner.hmac(secret: "s")
        let target = signer.target(.init(path: "/docs/a.txt", host: "bkt.storage.googleapis.com"))
        #expect(try await Self.send("GET", "/bkt\(target)", keys: signer.keys()).status == 200)
        #expect(try await Self.send("GET", "/other\(target)", keys: signer.keys()).status == 403)
    }

    @Test func `knows a path however the client codes it`() async throws {
        let signer = URLSigner.hmac(secret: "s")
        let target = signer.target(.init(path: "/bkt/a%20%28b%29/%C3%A9~"))
        for coded in ["/bkt/a%20(b)/%c3%a9%7E", "/bkt/a%20%28b%29/%C3%A9~"] {
            let sent = target.replacing("/bkt/a%20%28b%29/%C3%A9~", with: coded)
            #expect(try await Self.send("GET", sent, keys: signer.keys()).code == "NoSuchKey", "\(coded)")
        }
    }

    @Test func `starts resumable uploads only when signed`() async throws {
        let signer = URLSigner.hmac(secret: "s")
        let requested = URLSigner.Requested(method: "POST", headers: [("x-goog-resumable", "start")])
        let headers = ["x-goog-resumable": "start"]
        #expect(try await Self.send("POST", signer.target(requested), headers, keys: signer.keys()).status == 201)
        let wrong = signer.target(.init(method: "POST"))
        let keys = try URLSigner.hmac(secret: "t").keys()
        #expect(try await Self.send("POST", wrong, headers, keys: keys).status == 403)
    }

    @Test(
        "expires",
        arguments: [
            (0, 200, nil), (600, 200, nil), (601, 400, "ExpiredToken"), (-900, 200, nil),
            (-901, 403, "RequestTimeTooSkewed"),
        ] as [(Int64, Int, String?)]
    )
    func expires(later: Int64, status: Int, code: String?) async throws {
        let signer = URLSigner.hmac(secret: "s")
        for keys in [SigningKeys(), try signer.keys()] {
            let answer = try await Self.send("GET", signer.target(.init()), keys: keys, second: Self.second + later)
            #expect(answer.status == status)
            #expect(answer.code == code)
        }
    }

    @Test func `says when it expired, as production does`() async throws {
        let fixture = try StorageFixture(serverTime: (Self.second + 601) * 1_000_000)
        let answer = try await fixture.send(.get, URLSigner.hmac(secret: "s").target(.init()))
        let details = "The provided token has expired. Request signature expired at: 2026-09-30T17:36:04+00:00"
        #expect(try XMLReader.read(answer.bytes)["Details"]?.text == details)
    }

    @Test func `shows what it compared`() async throws {
        let signer = URLSigner.hmac(secret: "s")
        let fixture = try StorageFixture(signingKeys: try URLSigner.hmac(secret: "t").keys())
        let answer = try await fixture.send(.get, signer.target(.init(host: "elsewhere.test")))
        let document = try XMLReader.read(answer.bytes)
        #expect(document["Message"]?.text == "Access denied.")
        let canonical = try #require(document["CanonicalRequest"]?.text)
        #expect(canonical.hasPrefix("GET\n/bkt/docs/a.txt\nX-Goog-Algorithm=GOOG4-HMAC-SHA256&X-Goog-Credential="))
        #expect(canonical.hasSuffix("\nhost:emulator.test:9199\n\nhost\nUNSIGNED-PAYLOAD"))
        #expect(document["StringToSign"]?.text.hasPrefix("GOOG4-HMAC-SHA256\n20260930T172604Z\n20260930/auto") == true)
    }

    @Test(
        "refuses a malformed signature with and without keys",
        arguments: [
            ("GOOG4-HMAC-SHA256", "AWS4-HMAC-SHA256"), ("X-Goog-Algorithm=", "X-Other="),
            ("%2Fgoog4_request", ""), ("X-Goog-Date=20260930", "X-Goog-Date=20261001"),
            ("172604Z", "172604"), ("172604Z", "252604Z"), ("Expires=600", "Expires=0"),
            ("Expires=600", "Expires=604801"), ("Expires=600", "Expires=x"), ("SignedHeaders=host", "SignedHeaders="),
            ("SignedHeaders=host", "SignedHeaders=host%3Bhost"), ("SignedHeaders=host", "SignedHeaders=date"),
            ("X-Goog-Signature=", "X-Goog-Signature=x"), ("X-Goog-Signature=", "X-Goog-Signature=&x="),
            ("X-Goog-Expires=600", "X-Goog-Expires=600&x-goog-expires=600"),
        ]
    )
    func malformed(good: String, bad: String) async throws {
        let signer = URLSigner.hmac(secret: "s")
        let target = signer.target(.init())
        #expect(target.contains(good))
        for keys in [SigningKeys(), try signer.keys()] {
            let answer = try await Self.send("GET", target.replacing(good, with: bad, maxReplacements: 1), keys: keys)
            #expect(answer.status == 400)
            #expect(answer.code == "AuthorizationQueryParametersError")
        }
    }

    @Test func `judges no signature without keys, and keeps what is signed from shared caches`() async throws {
        let fixture = try StorageFixture()
        try await fixture.putHello()
        let target = URLSigner.hmac(secret: "s").target(.init())
        let answer = try await fixture.send(.get, target.replacing("Signature=", with: "Signature=00"))
        #expect(answer.text == "hello world")
        #expect(answer["Cache-Control"] == "private, max-age=0")
    }

    @Test func `reads parameters in lower case`() async throws {
        let target = URLSigner.hmac(secret: "s").target(.init()).replacing("X-Goog-", with: "x-goog-")
        let query = try #require(RequestTarget(target)).query
        #expect(try SignedURL(query)?.headerNames == ["host"])
        #expect(try SignedURL([("X-Goog-Date", "x"), ("prefix", "a")]) == nil)
    }
}
