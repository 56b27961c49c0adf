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
