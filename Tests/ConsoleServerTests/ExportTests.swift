// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer
import HTTPTypes
import HummingbirdCore
import Metering
import NIOConcurrencyHelpers
import NIOCore
import Testing
import Wire

@Suite(.timeLimit(.minutes(5))) struct ExportTests {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let paths = NIOLockedValueBox<[String]>([])

    private func ask(
        _ body: String,
        _ method: HTTPRequest.Method = .post,
        origin: String? = nil,
        authority: String = "127.0.0.1:4000",
        site: String? = nil,
        failing failure: String? = nil
    ) async throws -> ConsoleAnswer {
        let paths = paths
        let server = ConsoleServer(
            ledger: nil,
            export: { request in
                guard request.targets?.contains("storage") ?? true else { return [] }
                paths.withLockedValue { $0.append(request.path) }
                if let failure { throw Failure(description: failure) }
                return ["storage"]
            },
            listeners: { [] }
        )
        return try await ask(server, body, method, origin: origin, authority: authority, site: site)
    }

    private func ask(
        _ server: ConsoleServer,
        _ body: String,
        _ method: HTTPRequest.Method,
        origin: String? = nil,
        authority: String = "127.0.0.1:4000",
        site: String? = nil
    ) async throws -> ConsoleAnswer {
        var head = HTTPRequest(method: method, scheme: "http", authority: authority, path: "/_admin/export")
        head.headerFields[.origin] = origin
        head.headerFields[try #require(HTTPField.Name("Sec-Fetch-Site"))] = site
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
        let attribution = UsageAttribution(service: .firestore, operation: "console")
        return try await ConsoleAnswer(server.respond(to: request, exchange: Exchange(attribution: attribution)))
    }

    @Test(arguments: [
        #"{"path":"/x","initiatedBy":"me","targets":["storage"]}"#, #"{"path":"/x"}"#,
        #"{"path":"/x","targets":["firestore","storage"]}"#,
    ])
    func `exports to the path and says what`(_ body: String) async throws {
        #expect(try await ask(body) == ConsoleAnswer(200, #"{"message":"OK","exported":["storage"]}"#))
        #expect(paths.withLockedValue { $0 } == ["/x"])
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"path":""}"#, #"{"path":3}"#])
    func `needs a path`(_ body: String) async throws {
        let message = #"{"message":"The body must be JSON with the 'path' of a directory."}"#
        #expect(try await ask(body) == ConsoleAnswer(400, message))
        #expect(paths.withLockedValue { $0 }.isEmpty)
    }

    @Test func `exports for no page of a browser`() async throws {
        let answer = try await ask(#"{"path":"/x"}"#, origin: "http://localhost:3000")
        #expect(answer == ConsoleAnswer(403, #"{"message":"Export cannot be triggered by external callers."}"#))
        #expect(paths.withLockedValue { $0 }.isEmpty)
    }

    @Test(arguments: ["http://127.0.0.1:4000", "http://evil.example", "null"])
    func `exports for no origin`(_ origin: String) async throws {
        let answer = try await ask(#"{"path":"/x"}"#, origin: origin)
        #expect(answer == ConsoleAnswer(403, #"{"message":"Export cannot be triggered by external callers."}"#))
        #expect(paths.withLockedValue { $0 }.isEmpty)
    }

    @Test(arguments: [("evil.example:4000", nil), ("127.0.0.1:4000", "cross-site"), ("127.0.0.1:4000", "same-site")])
    func `exports for no page without an origin`(_ authority: String, _ site: String?) async throws {
        let answer = try await ask(#"{"path":"/x"}"#, authority: authority, site: site)
        #expect(answer.status == 403)
        #expect(answer.body.hasPrefix(#"{"message":"Export cannot be triggered by external callers. "#))
        #expect(paths.withLockedValue { $0 }.isEmpty)
    }

    @Test(arguments: [
        (#"{"path":"x/y"}"#, "The 'path' must be absolute."),
        (#"{"path":"/x\u0000/y"}"#, "The 'path' holds a NUL character; remove it."),
    ])
    func `exports to no path that means another place`(_ body: String, _ message: String) async throws {
        #expect(try await ask(body) == ConsoleAnswer(400, #"{"message":"\#(message)"}"#))
        #expect(paths.withLockedValue { $0 }.isEmpty)
    }

    @Test func `says which data there are where others are asked for`() async throws {
        let answer = try await ask(#"{"path":"/x","targets":["database"]}"#)
        #expect(answer.status == 500)
        #expect(answer.body.contains("there are Firestore, Storage and Authentication"))
        #expect(paths.withLockedValue { $0 }.isEmpty)
    }

    @Test func `says why an export failed`() async throws {
        #expect(try await ask(#"{"path":"/x"}"#, failing: "no room") == ConsoleAnswer(500, #"{"message":"no room"}"#))
    }

    @Test func `takes POST only, and where there is something to export`() async throws {
        #expect(try await ask("", .get).status == 405)
        let server = ConsoleServer(ledger: nil, listeners: { [] })
        #expect(try await ask(server, #"{"path":"/x"}"#, .post).status == 500)
    }
}
