// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import Wire

struct SameOriginGateTests {
    /// Whether a request passes the gate of a server on 127.0.0.1.
    private static func passes(
        _ method: HTTPRequest.Method,
        _ authority: String? = "127.0.0.1:4000",
        _ headers: [String: String] = [:]
    ) throws -> Bool {
        var head = HTTPRequest(method: method, scheme: "http", authority: authority, path: "/usage")
        for (name, value) in headers { head.headerFields[try #require(HTTPField.Name(name))] = value }
        return SameOriginGate(listeningOn: "127.0.0.1").refusal(of: head) == nil
    }

    @Test(
        "knows the names of a server on a loopback address",
        arguments: [
            ("127.0.0.1:4000", true), ("127.0.0.1", true), ("127.8.9.10:1", true), ("localhost:4000", true),
            ("LocalHost.:4000", true), ("app.localhost:4000", true), ("[::1]:4000", true),
            ("[::ffff:127.0.0.1]:4000", true), ("host.docker.internal:4000", true), ("emulator:4000", true),
            ("Emulator", true),
            ("evil.example:4000", false), ("evil.example", false), ("localhost.evil.example:4000", false),
            ("127.0.0.1.evil.example:4000", false),
            ("192.168.1.5:4000", false), ("[fe80::1]:4000", false), ("", false), (":4000", false),
            ("localhost@evil.example:4000", false), ("localhost:4000@evil.example", false), ("[::1", false),
            ("[localhost]:4000", false), ("localhost\0.evil.example:4000", false),
        ]
    )
    func knowsItsNames(authority: String, isKnown: Bool) throws {
        #expect(KnownHosts(listeningOn: "127.0.0.1", machine: "devbox").contains(authority) == isKnown)
        #expect(try Self.passes(.get, authority) == isKnown)
        #expect(try Self.passes(.post, authority) == isKnown)
    }

    @Test(
        "knows the names of a server that listens to other machines",
        arguments: [
            ("0.0.0.0", "0.0.0.0:4000", true), ("0.0.0.0", "127.0.0.1:4000", true),
            ("0.0.0.0", "192.168.1.5:4000", true), ("::", "[fe80::1]:4000", true), ("0.0.0.0", "emulator:4000", true),
            ("0.0.0.0", "DevBox.Example.org:4000", true), ("emulator.test", "emulator.test:4000", true),
            ("0.0.0.0", "evil.example:4000", false), ("emulator.test", "evil.example:4000", false),
            ("0.0.0.0", "other.example.org", false),
        ]
    )
    func knowsItsNames(listeningOn host: String, authority: String, isKnown: Bool) {
        #expect(KnownHosts(listeningOn: host, machine: "devbox.example.org").contains(authority) == isKnown)
    }

    @Test func `takes what programs send`() throws {
        #expect(try Self.passes(.get, nil))
        #expect(try Self.passes(.post))
        #expect(try Self.passes(.post, "localhost:4000", ["Content-Type": "text/plain"]))
    }

    @Test(
        "takes the server's own origin alone",
        arguments: [
            ("http://127.0.0.1:4000", true), ("HTTP://127.0.0.1:4000", true), ("https://127.0.0.1:4000", true),
            ("http://127.0.0.1:4001", false), ("http://127.0.0.1", false), ("http://localhost:4000", false),
            ("http://evil.example", false), ("null", false), ("", false), ("127.0.0.1:4000", false),
        ]
    )
    func takesItsOrigin(origin: String, isOwn: Bool) throws {
        for method in [HTTPRequest.Method.get, .post, .options, .put] {
            #expect(try Self.passes(method, headers: ["Origin": origin]) == isOwn)
        }
    }

    @Test(
        "takes what a browser says of the page",
        arguments: [
            (.post, ["Sec-Fetch-Site": "same-origin"], true), (.get, ["Sec-Fetch-Site": "none"], true),
            (.get, ["Sec-Fetch-Site": "cross-site"], false), (.post, ["Sec-Fetch-Site": "cross-site"], false),
            (.get, ["Sec-Fetch-Site": "same-site"], false), (.post, ["Sec-Fetch-Site": "same-site"], false),
            (.get, ["Sec-Fetch-Site": "other"], false), (.get, link, true), (.post, link, false),
            (.get, link.merging(["Sec-Fetch-Dest": "iframe"]) { $1 }, false),
            (.get, link.merging(["Sec-Fetch-Mode": "no-cors"]) { $1 }, false),
        ] as [(HTTPRequest.Method, [String: String], Bool)]
    )
    func takesMetadata(method: HTTPRequest.Method, headers: [String: String], passes: Bool) throws {
        #expect(try Self.passes(method, headers: headers) == passes)
    }

    private static let link = [
        "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
    ]

    private static func passes(_ method: HTTPRequest.Method, headers: [String: String]) throws -> Bool {
        try passes(method, "127.0.0.1:4000", headers)
    }

    @Test func `quotes no more than a line of a long name`() throws {
        let authority = String(repeating: "a", count: 1_000_000) + ".example"
        let head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/")
        let reason = try #require(SameOriginGate(listeningOn: "127.0.0.1").refusal(of: head))
        #expect(reason.utf8.count < 300)
    }

    @Test(
        "judges the path of an export",
        arguments: [
            ("/x", nil), ("x", "The 'path' must be absolute."), ("./x", "The 'path' must be absolute."),
            ("", "The 'path' must be absolute."), ("/x\0/y", "The 'path' holds a NUL character; remove it."),
        ] as [(String, String?)]
    )
    func judges(path: String, fault: String?) {
        #expect(ExportPath.fault(in: path) == fault)
    }
}
