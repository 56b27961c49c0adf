// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

struct LocalPageGateTests {
    private static let local: [(host: String?, origin: String?, passes: Bool)] = [
        ("127.0.0.1:9150", nil, true),
        ("127.0.0.1:9150", "http://127.0.0.1:4000", true),
        ("127.0.0.1:9150", "http://localhost:4000", true),
        ("localhost:9150", "https://[::1]:4000", true),
        ("host.docker.internal:9150", "http://host.docker.internal:4000", true),
        ("emulators:9150", "http://emulators:4000", true),
        ("127.0.0.1:9150", "http://example.com", false),
        ("127.0.0.1:9150", "http://localhost.example.com", false),
        ("127.0.0.1:9150", "http://203.0.113.5:4000", false),
        ("127.0.0.1:9150", "null", false),
        ("127.0.0.1:9150", "file://", false),
        ("127.0.0.1:9150", "chrome-extension://localhost", false),
        ("rebound.example.com:9150", nil, false),
        ("rebound.example.com:9150", "http://rebound.example.com:9150", false),
        (nil, "http://localhost:4000", false),
        (nil, nil, true),
    ]

    @Test("lets in programs, and pages of this machine on any port", arguments: local)
    func letsIn(host: String?, origin: String?, passes: Bool) {
        let gate = LocalPageGate(listeningOn: "127.0.0.1")
        #expect((gate.refusal(host: host, origin: origin) == nil) == passes)
    }

    private static let opened: [(host: String, origin: String, passes: Bool)] = [
        ("192.0.2.7:9150", "http://192.0.2.7:4000", true),
        ("192.0.2.7:9150", "http://localhost:4000", true),
        ("192.0.2.7:9150", "http://203.0.113.5:4000", false),
        ("192.0.2.7:9150", "http://example.com", false),
    ]

    @Test("lets in pages of the host it is called by where it listens on every address", arguments: opened)
    func letsInPagesOfItsHost(host: String, origin: String, passes: Bool) {
        let gate = LocalPageGate(listeningOn: "0.0.0.0")
        #expect((gate.refusal(host: host, origin: origin) == nil) == passes)
    }
}
