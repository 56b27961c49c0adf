// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import StorageServer

/// The parameters that Google's front end takes before every API.
struct SystemParametersTests {
    @Test func `answers a bad selection with 400 and changes nothing`() async throws {
        let fixture = try StorageFixture()
        let upload = "/upload/storage/v1/b/bkt/o?uploadType=media&name=a&fields="
        #expect(try await fixture.send(.post, upload + "a(", [:], "x").status == 400)
        #expect(try fixture.isEmpty())
        try await fixture.putHello()
        let answer = try await fixture.send(.get, "/b/bkt/o?fields=items(")
        #expect(answer.status == 400)
        #expect(try answer.json("error.errors.0.reason") == "invalidParameter")
        #expect(try answer.json("error.message") == "Invalid field selection items(")
        let names = try await fixture.send(.get, "/b/bkt/o?fields=items(name)&prettyPrint=false")
        #expect(names.text == #"{"items":[{"name":"docs/a.txt"}]}"#)
    }

    @Test(arguments: ["$fields=name", "fields=name", "$fields=name&$alt=json;enum-encoding=int&$prettyPrint=false"])
    func `keeps the fields that are wanted of every resource`(parameters: String) async throws {
        let fixture = try StorageFixture()
        try await fixture.putHello()
        let described = try await fixture.send(.get, "/b/bkt/o/docs%2Fa.txt?\(parameters)&pp=0")
        #expect(described.text == #"{"name":"docs/a.txt"}"#)
        let bindings = try await fixture.send(.get, "/b/bkt/iam?fields=kind&pp=0")
        #expect(bindings.text == ##"{"kind":"storage#policy"}"##)
    }

    @Test(arguments: ["alt=media", "$alt=media"])
    func `sends the content under either name of the format`(parameter: String) async throws {
        let fixture = try StorageFixture()
        try await fixture.putHello()
        let content = try await fixture.send(.get, "/b/bkt/o/docs%2Fa.txt?\(parameter)")
        #expect(content.headers[.contentType]?.hasPrefix("text/plain") == true)
        let missing = try await fixture.send(.get, "/b/bkt/o/none?\(parameter)")
        #expect(missing.headers[.contentType] == "text/html; charset=UTF-8")
    }

    @Test func `passes answers and errors to the callback of a script`() async throws {
        let fixture = try StorageFixture()
        try await fixture.putHello()
        let found = try await fixture.send(.get, "/b/bkt/o/docs%2Fa.txt?callback=f&fields=name&prettyPrint=false")
        #expect(found.text == "// API callback\nf({\"name\":\"docs/a.txt\"});")
        #expect(found.headers[.contentType] == "text/javascript; charset=UTF-8")
        let missing = try await fixture.send(.get, "/b/bkt/o/none?$callback=f&$prettyPrint=false")
        #expect(missing.text.hasPrefix("// API callback\nf({\"error\":{\"code\":404,"))
        let refused = try await fixture.send(.get, "/b/bkt/o/docs%2Fa.txt?callback=alert(1)")
        #expect(refused.status == 400)
        #expect(try refused.json("error.errors.0.location") == "callback")
    }

    @Test func `writes errors without lines on request`() async throws {
        let missing = try await StorageFixture().send(.get, "/b/bkt/o/none?prettyPrint=false")
        #expect(missing.text.hasPrefix(#"{"error":{"code":404,"#))
    }
}
