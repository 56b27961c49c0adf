// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOConcurrencyHelpers
import ObjectStore
import StorageServer
import Testing
import Wire

@Suite(.timeLimit(.minutes(5))) struct InternalAPITests {
    private struct Failure: Error, CustomStringConvertible {
        let description = "no room"
    }

    @Test func `exports to the path of the request`() async throws {
        let paths = NIOLockedValueBox<[String]>([])
        let fixture = try StorageFixture(export: { path in paths.withLockedValue { $0.append(path) } })
        let answer = try await fixture.send(.post, "/internal/export", [:], #"{"path":"/x","initiatedBy":"me"}"#)
        #expect(answer.status == 200)
        #expect(answer.text == "OK")
        #expect(paths.withLockedValue { $0 } == ["/x"])
    }

    @Test(arguments: ["", "{}", #"{"path":""}"#, #"{"initiatedBy":"me"}"#])
    func `needs a path`(_ body: String) async throws {
        let fixture = try StorageFixture(export: { _ in throw Failure() })
        let answer = try await fixture.send(.post, "/internal/export", [:], body)
        #expect(answer.status == 400)
        #expect(answer.text == "Export request body must include 'path'.")
    }

    @Test func `exports for no page of a browser`() async throws {
        let fixture = try StorageFixture(export: { _ in throw Failure() })
        let headers = ["Origin": "http://localhost:3000"]
        let answer = try await fixture.send(.post, "/internal/export", headers, #"{"path":"/x"}"#)
        #expect(answer.status == 403)
    }

    @Test(arguments: [
        (["Sec-Fetch-Site": "cross-site"], #"{"path":"/x"}"#, 403), ([:], #"{"path":"x"}"#, 400),
        ([:], #"{"path":"/x\u0000/y"}"#, 400), (["Sec-Fetch-Site": "none"], #"{"path":"/x"}"#, 200),
    ])
    func `exports where a program asks to`(_ headers: [String: String], _ body: String, _ status: Int) async throws {
        let paths = NIOLockedValueBox<[String]>([])
        let fixture = try StorageFixture(
            export: { path in paths.withLockedValue { $0.append(path) } },
            exportGate: SameOriginGate(listeningOn: "emulator.test")
        )
        #expect(try await fixture.send(.post, "/internal/export", headers, body).status == status)
        #expect(paths.withLockedValue { $0 } == (status == 200 ? ["/x"] : []))
    }

    @Test func `says why an export failed`() async throws {
        let fixture = try StorageFixture(export: { _ in throw Failure() })
        let answer = try await fixture.send(.post, "/internal/export", [:], #"{"path":"/x"}"#)
        #expect(answer.status == 500)
        #expect(answer.text == "Failed to export storage: no room")
        #expect(try await StorageFixture().send(.post, "/internal/export", [:], #"{"path":"/x"}"#).status == 501)
    }

    @Test func `resets the store`() async throws {
        let fixture = try StorageFixture()
        try await fixture.putHello()
        let answer = try await fixture.send(.post, "/internal/reset")
        #expect(answer.status == 200)
        #expect(answer.text == "OK")
        #expect(try fixture.isEmpty())
        #expect(try fixture.store.buckets().isEmpty)
    }

    @Test(arguments: ["/internal/export", "/internal/reset"])
    func `other methods name an object there`(_ path: String) async throws {
        #expect(try await StorageFixture().send(.get, path).status == 404)
    }
}
