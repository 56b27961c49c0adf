// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import SwiftProtobuf
import Testing

/// The transactions that reads begin, and what may be written in them.
struct NewTransactionTests {
    private static let reads: [(path: String, body: String)] = [
        (":batchGet", #""documents":["\#(FirestoreFixture.documents)/cities/a"]"#),
        (":runQuery", #""structuredQuery":{"from":[{"collectionId":"cities"}]}"#),
        (
            ":runAggregationQuery",
            #""structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"cities"}]},"#
                + #""aggregations":[{"count":{}}]}"#
        ),
    ]

    /// Writes in a transaction.
    private func write(in transaction: String, _ fixture: FirestoreFixture) async -> RESTResponse {
        let name = "\(FirestoreFixture.documents)/cities/b"
        return await fixture.send(
            "POST",
            ":commit",
            #"{"transaction":"\#(transaction)","writes":[{"update":{"name":"\#(name)"}}]}"#
        )
    }

    @Test(arguments: reads)
    func `a read begins a transaction that writes only when asked for that`(path: String, body: String) async throws {
        for (options, message) in [
            ("{}", "Cannot modify entities in a read-only transaction."),
            (#"{"readOnly":{}}"#, "Cannot modify entities in a read-only transaction."),
            (#"{"readWrite":{}}"#, nil),
        ] {
            let fixture = try FirestoreFixture()
            let read = await fixture.send("POST", path, #"{\#(body),"newTransaction":\#(options)}"#)
            let first = try Google_Protobuf_Value(jsonUTF8Bytes: read.body).listValue.values.first
            let transaction = try #require(first?.structValue.fields["transaction"]?.stringValue)
            let response = await write(in: transaction, fixture)
            #expect(response.status == (message == nil ? 200 : 400))
            #expect(response.errorFields?["message"]?.stringValue == message)
        }
    }

    @Test func `a transaction that is begun without options writes`() async throws {
        let fixture = try FirestoreFixture()
        let begun = try Google_Protobuf_Value(
            jsonUTF8Bytes: await fixture.send("POST", ":beginTransaction", #"{"options":{}}"#).body
        )
        let transaction = try #require(begun.structValue.fields["transaction"]?.stringValue)
        #expect(await write(in: transaction, fixture).status == 200)
    }
}
