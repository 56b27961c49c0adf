// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import SwiftProtobuf
import Testing
import Wire

@testable import FirestoreServer

/// The parameters that Google's front end takes on every call.
struct SystemParametersTests {
    private static let name = "\(FirestoreFixture.documents)/cities/a"
    private static let query = #"{"structuredQuery":{"from":[{"collectionId":"cities"}]}}"#

    private static func fixture() async throws -> FirestoreFixture {
        let fixture = try FirestoreFixture()
        await fixture.addCities(["a": 1, "b": 2])
        return fixture
    }

    @Test(
        arguments: [
            "$alt=json;enum-encoding=int", "$alt=json%3Benum-encoding%3Dint", "alt=json;enum-encoding=int", "alt=",
            "$alt=json", "prettyPrint=false", "$prettyPrint=0", "pp=0", "fields=", "$.xgafv=2", "key=k", "$key=k",
            "quotaUser=u", "uploadType=media", "upload_protocol=raw", "userProject=p", "$userProject=p", "zx=1",
        ]
    )
    func `answers as without a parameter that asks for nothing else`(parameter: String) async throws {
        let fixture = try await Self.fixture()
        let plain = await fixture.send("GET", "/cities/a")
        let answer = await fixture.send("GET", "/cities/a?\(parameter)")
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.text == plain.text)
        #expect(answer.contentType == "application/json; charset=UTF-8")
    }

    @Test(
        arguments: [
            ("fields=fields", #"{"fields":{"pop":{"integerValue":"1"}}}"#), ("$fields=name", #"{"name":"NAME"}"#),
            ("fields=fields/pop/integerValue,name", #"{"name":"NAME","fields":{"pop":{"integerValue":"1"}}}"#),
            ("fields=fields.pop(integerValue)", #"{"fields":{"pop":{"integerValue":"1"}}}"#),
            ("fields=fields(pop/stringValue)", #"{"fields":{"pop":{}}}"#), ("fields=fields/none", #"{"fields":{}}"#),
        ]
    )
    func `keeps the fields that are wanted`(parameter: String, expected: String) async throws {
        let answer = try await Self.fixture().send("GET", "/cities/a?\(parameter)")
        #expect(answer.text == expected.replacing("NAME", with: Self.name))
    }

    @Test func `keeps the fields that are wanted of each element of a list`() async throws {
        let fixture = try await Self.fixture()
        let fields = "document/fields"
        let listed = await fixture.send("POST", ":runQuery?$fields=\(fields)", Self.query)
        let documents = ["1", "2"].map { #"{"document":{"fields":{"pop":{"integerValue":"\#($0)"}}}}"# }
        #expect(listed.text == "[\(documents.joined(separator: ","))]")
        var request = RESTRequest("POST", "/v1/\(FirestoreFixture.documents):runQuery", Self.query)
        request.fieldMask = fields
        #expect(await fixture.send(request).text == listed.text)
        let page = await fixture.send("GET", "/cities?fields=documents(update_time),nextPageToken&pageSize=1")
        #expect(page.text.hasPrefix(#"{"documents":[{"updateTime":"#), "\(page.text)")
        #expect(page.text.contains("nextPageToken"))
    }

    @Test(
        arguments: [
            ("nope", "nope"), ("fields.pop.nope", "fields.pop.nope"), ("name/x", "name.x"),
            ("name,document", "document"),
        ]
    )
    func `refuses a field that the answer does not have, before it writes`(fields: String, path: String) async throws {
        let fixture = try await Self.fixture()
        let answer = await fixture.send("PATCH", "/cities/new?fields=\(fields)", "{}")
        #expect(answer.status == 400)
        let error = try #require(answer.errorFields)
        #expect(error["message"]?.stringValue == "Request contains an invalid argument.")
        #expect(answer.text.contains("Cannot find matching fields for path '\(path)'."), "\(answer.text)")
        #expect(await fixture.send("GET", "/cities/new").status == 404)
    }

    @Test(arguments: ["fields=a(", "alt=proto", "$alt=media", "alt=sse", "callback=alert(1)", "callback=f%0A"])
    func `refuses a form that it cannot give`(parameter: String) async throws {
        let answer = try await Self.fixture().send("GET", "/cities/a?\(parameter)")
        #expect(answer.status == 400)
        #expect(answer.errorFields?["status"]?.stringValue == "INVALID_ARGUMENT")
    }

    @Test func `breaks answers and errors into lines on request`() async throws {
        let fixture = try await Self.fixture()
        let found = await fixture.send("GET", "/cities/a?$prettyPrint=true&fields=fields")
        #expect(
            found.text == """
                {
                  "fields": {
                    "pop": {
                      "integerValue": "1"
                    }
                  }
                }
                """
        )
        let listed = await fixture.send("POST", ":runQuery?prettyPrint=1&fields=skippedResults", Self.query)
        #expect(listed.text == "[{}\n,\n{}]")
        let missing = await fixture.send("GET", "/cities/none?prettyPrint=true")
        #expect(missing.status == 404)
        #expect(missing.text.hasPrefix("{\n  \"error\": {\n    \"code\": 404,\n"), "\(missing.text)")
    }

    @Test func `passes answers and errors to the callback of a script`() async throws {
        let fixture = try await Self.fixture()
        let found = await fixture.send("GET", "/cities/a?callback=a.b[0]&fields=name")
        #expect(found.text == "// API callback\na.b[0]({\"name\":\"\(Self.name)\"});")
        #expect(found.contentType == "text/javascript; charset=UTF-8")
        let listed = await fixture.send("POST", ":runQuery?$callback=f&fields=skippedResults", Self.query)
        #expect(listed.text == "// API callback\nf([{},{}]);")
        let missing = await fixture.send("GET", "/cities/none?callback=f")
        #expect(missing.text.hasPrefix("// API callback\nf({\"error\":{\"code\":404,"))
    }

    @Test func `lists errors as older APIs do on request`() async throws {
        let answer = try await Self.fixture().send("GET", "/cities/none?$.xgafv=1&fields=name")
        let message = #""message":"Document \"\#(FirestoreFixture.documents)/cities/none\" not found.""#
        #expect(
            answer.text
                == #"{"error":{"code":404,\#(message),"errors":[{\#(message),"domain":"global","reason":"notFound"}],"#
                + #""status":"NOT_FOUND"}}"#
        )
    }

    @Test(arguments: ["access_token", "oauth_token"])
    func `takes the caller's token from the query`(name: String) async throws {
        let fixture = try await Self.fixture()
        let target = "/v1/\(FirestoreFixture.documents)/cities?showMissing=true"
        #expect(await fixture.send(RESTRequest("GET", target, authorization: nil)).status == 403)
        #expect(await fixture.send(RESTRequest("GET", "\(target)&\(name)=owner", authorization: nil)).status == 200)
    }

    @Test func `writes enumerations as numbers on request, and null as null`() throws {
        var form = AnswerForm(isIndented: false)
        form.enumsAreIntegers = true
        var order = Proto.StructuredQuery.Order()
        order.direction = .descending
        #expect(String(decoding: try ProtoJSON.encode(order, in: form), as: UTF8.self) == #"{"direction":2}"#)
        let null = Proto.Value.with { $0.nullValue = .nullValue }
        #expect(String(decoding: try ProtoJSON.encode(null, in: form), as: UTF8.self) == #"{"nullValue":null}"#)
    }
}
