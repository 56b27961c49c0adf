// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthServer
import HTTPTypes
import HummingbirdCore
import JSON
import Metering
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import Wire

/// An answer of the server.
struct AuthAnswer {
    let status: Int
    let headers: HTTPFields
    let body: JSONValue

    /// The message of a refusal.
    var refusal: String? { body["error"]?["message"]?.string }

    subscript(name: String) -> JSONValue? { body[name] }
    func text(_ name: String) -> String { body[name]?.string ?? "" }
}

/// A server over a store of its own, called without a socket; its time stands still until a test moves it.
struct AuthFixture {
    let directory = TemporaryDirectory()
    let server: AuthServer
    private let time = NIOLockedValueBox<Int64>(1_765_000_000_000_000)
    private let sent = NIOLockedValueBox<[String]>([])

    init(profile: AuthProfile = .emulator) throws {
        let store = SQLiteAccountStore(path: directory.path + "/accounts.sqlite", isDurable: false)
        server = AuthServer(
            AuthContext(
                store: store,
                clock: AuthClock { [time] in time.withLockedValue { $0 } },
                profile: profile,
                project: "demo",
                onMessage: { [sent] message in sent.withLockedValue { $0.append(message.line) } }
            )
        )
    }

    /// Lines for the developer, of codes and links.
    var messages: [String] { sent.withLockedValue { $0 } }

    func advance(seconds: Int64) { time.withLockedValue { $0 += seconds * 1_000_000 } }

    /// Makes a call; as an app, unless as an administrator.
    func call(
        _ method: HTTPRequest.Method = .post,
        _ path: String,
        _ body: String = "{}",
        asAdministrator: Bool = false,
        headers: [String: String] = [:]
    ) async throws -> AuthAnswer {
        let key = asAdministrator ? "" : (path.contains("?") ? "&" : "?") + "key=k"
        var head = HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1:9099", path: path + key)
        head.headerFields[.contentType] = "application/json"
        if asAdministrator { head.headerFields[.authorization] = "Bearer owner" }
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { head.headerFields[name] = value }
        }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
        let exchange = Exchange(attribution: UsageAttribution(service: .auth, operation: "test"))
        let response = await server.respond(to: request, exchange: exchange)
        let collector = BodyCollector()
        try await response.body.write(collector)
        let bytes = Array(collector.bytes.readableBytesView)
        return AuthAnswer(
            status: response.status.code,
            headers: response.headers,
            body: (try? JSONValue(parsing: bytes)) ?? .null
        )
    }

    /// Calls a method of `accounts`.
    func accounts(_ verb: String, _ body: String, asAdministrator: Bool = false) async throws -> AuthAnswer {
        try await call(
            .post,
            "/identitytoolkit.googleapis.com/v1/accounts:\(verb)",
            body,
            asAdministrator: asAdministrator
        )
    }

    /// Changes the project's configuration.
    func configure(_ json: String, mask: String) async throws {
        _ = try await call(
            .patch,
            "/identitytoolkit.googleapis.com/v2/projects/demo/config?updateMask=\(mask)",
            json,
            asAdministrator: true
        )
    }

    /// Registers a user with an address and the password "secret1".
    func register(_ email: String) async throws -> AuthAnswer {
        try await accounts("signUp", #"{"email":"\#(email)","password":"secret1"}"#)
    }
}
