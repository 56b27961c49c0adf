// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct CountingTransportTests {
    private func post(_ body: String?, over transport: CountingTransport) async throws {
        let url = fakeURL("http://firestore.test/")
        let request = TransportRequest(method: "POST", url: url, body: body.map { Data($0.utf8) })
        _ = try await transport.send(request).body.collected()
    }

    @Test func `counts requests and the bytes of bodies in both directions`() async throws {
        let transport = CountingTransport(StubTransport(status: 404, "nothing"))
        try await post("question", over: transport)
        try await post(nil, over: transport)
        #expect(transport.counts.requests == 2)
        #expect(transport.counts.requestBodyBytes == 8)
        #expect(transport.counts.responseBodyBytes == 14)
    }

    @Test func `counts requests that got no response`() async throws {
        let transport = CountingTransport(StubTransport { throw URLError(.cannotConnectToHost) })
        await #expect(throws: URLError.self) { try await post("question", over: transport) }
        #expect(transport.counts.requests == 1)
        #expect(transport.counts.requestBodyBytes == 8)
        #expect(transport.counts.responseBodyBytes == 0)
    }
}
