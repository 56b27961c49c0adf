// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(5))) struct ForeignPageTests {
    private static let calls: [(HTTPRequest.Method, String)] = [
        (.get, "/"), (.get, "/usage"), (.get, "/usage/events"), (.get, "/metrics"), (.get, "/quota"),
        (.post, "/usage/marks"), (.post, "/quota/advance?days=3"), (.options, "/usage/marks"), (.get, "/nope"),
    ]

    @Test(arguments: calls)
    func `answers no page of another site`(_ method: HTTPRequest.Method, _ path: String) async throws {
        let console = try ConsoleFixture()
        for headers in [["Origin": "http://evil.example"], ["Sec-Fetch-Site": "cross-site"]] {
            let answer = try await console.ask(method, path, headers: headers)
            #expect(answer.status == 403)
            #expect(answer.body.hasPrefix(#"{"error":{"code":403,"message":"Forbidden: "#))
        }
        #expect(try await console.ask(method, path, authority: "evil.example:4000").status == 403)
    }

    @Test func `answers its own pages and programs`() async throws {
        let console = try ConsoleFixture()
        let own = ["Origin": "http://localhost:4000", "Sec-Fetch-Site": "same-origin"]
        #expect(try await console.ask(.post, "/usage/marks", authority: "localhost:4000", headers: own).status == 200)
        #expect(try await console.ask(.post, "/usage/marks", headers: ["Content-Type": "text/plain"]).status == 200)
    }
}
