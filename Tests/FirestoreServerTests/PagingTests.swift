// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import FirestoreServer
import SwiftProtobuf
import Testing

struct PagingTests {
    @Test func `walks through collection ids`() async throws {
        let fixture = try FirestoreFixture()
        for name in ["a", "b", "c"] { await fixture.send("POST", "/\(name)") }
        let first = await fixture.send("POST", ":listCollectionIds", #"{"pageSize":2}"#)
        let page = try Proto.ListCollectionIDsResponse(jsonUTF8Bytes: first.body)
        #expect(page.collectionIds == ["a", "b"])
        let second = await fixture.send(
            "POST",
            ":listCollectionIds",
            #"{"pageSize":2,"pageToken":"\#(page.nextPageToken)"}"#
        )
        #expect(second.text == #"{"collectionIds":["c"]}"#)
    }

    @Test func `goes on behind an id that begins with a combining mark`() async throws {
        let fixture = try FirestoreFixture()
        let names = ["a", "\u{301}x", "\u{4E00}"]
        for name in names { await fixture.send("POST", ":commit", Self.write(in: name)) }
        var found: [String] = []
        var token = ""
        repeat {
            let answer = await fixture.send("POST", ":listCollectionIds", #"{"pageSize":1,"pageToken":"\#(token)"}"#)
            let page = try Proto.ListCollectionIDsResponse(jsonUTF8Bytes: answer.body)
            found += page.collectionIds
            token = page.nextPageToken
        } while !token.isEmpty
        #expect(found == names)
    }

    private static func write(in collection: String) -> String {
        #"{"writes":[{"update":{"name":"\#(FirestoreFixture.documents)/\#(collection)/1"}}]}"#
    }

    @Test func `writes two documents whose ids only look the same`() async throws {
        let fixture = try FirestoreFixture()
        let writes = ["\u{E9}", "e\u{301}"].map {
            #"{"update":{"name":"\#(FirestoreFixture.documents)/c/\#($0)"}}"#
        }
        let answer = await fixture.send("POST", ":batchWrite", #"{"writes":[\#(writes.joined(separator: ","))]}"#)
        #expect(answer.status == 200, "\(answer.text)")
        let page = try Proto.ListDocumentsResponse(jsonUTF8Bytes: await fixture.send("GET", "/c").body)
        #expect(page.documents.count == 2)
    }

    @Test func `walks through documents`() async throws {
        let fixture = try FirestoreFixture()
        await fixture.addCities(["a": 1, "b": 2, "c": 3])
        let first = try Proto.ListDocumentsResponse(jsonUTF8Bytes: await fixture.send("GET", "/cities?pageSize=2").body)
        #expect(first.documents.map(\.name.last) == ["a", "b"])
        let token = first.nextPageToken.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let rest = await fixture.send("GET", "/cities?pageSize=2&pageToken=\(token)")
        let second = try Proto.ListDocumentsResponse(jsonUTF8Bytes: rest.body)
        #expect(second.documents.map(\.name.last) == ["c"])
        #expect(second.nextPageToken.isEmpty)
    }
}
