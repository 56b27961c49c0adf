// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import SwiftProtobuf
import Testing

@testable import DocumentStore
@testable import FirestoreModel
@testable import FirestoreServer

/// The answers where a document's bytes are damaged in the file.
struct DamagedDocumentTests {
    private static let message =
        "The fields of the document cities/a are damaged in the database file. "
        + "Write the document again, delete it, or restore a backup."

    @Test(arguments: [
        ("GET", "/cities/a", ""),
        ("GET", "/cities", ""),
        ("POST", ":batchGet", #"{"documents":["\#(FirestoreFixture.documents)/cities/a"]}"#),
        ("POST", ":runQuery", #"{"structuredQuery":{"from":[{"collectionId":"cities"}]}}"#),
        (
            "POST", ":runAggregationQuery",
            #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"cities"}]},"#
                + #""aggregations":[{"sum":{"field":{"fieldPath":"pop"}}}]}}"#
        ),
    ])
    func `a damaged document is lost data over REST`(method: String, path: String, body: String) async throws {
        let fixture = try FirestoreFixture()
        await fixture.addCities(["a": 1, "b": 2])
        try fixture.store.connections.write { try $0.execute("UPDATE documents SET data = x'FF' WHERE id = 1") }
        let response = await fixture.send(method, path, body)
        #expect(response.status == 500)
        #expect(response.errorFields?["status"]?.stringValue == "DATA_LOSS")
        #expect(response.errorFields?["message"]?.stringValue == Self.message)
    }

    @Test func `a damaged document is lost data over gRPC and to listeners`() throws {
        let database = DatabaseID(project: "demo")
        let time = Timestamp(seconds: 0)
        let document = Document(
            path: try DocumentPath(parsing: "cities/a"),
            encodedFields: EncodedFields(stored: [0xFF]),
            createTime: time,
            updateTime: time
        )
        let lost = FirestoreError(.dataLoss, Self.message)
        #expect(throws: lost) { try document.encoded(in: database) }
        #expect(throws: lost) {
            try DocumentAnswer<Proto.RunQueryResponse>(document, readTime: time, in: database).serialized()
        }
        #expect(throws: lost) {
            try Proto.ListenResponse(.documentChanged(document, targets: [1], removedTargets: []), in: database)
        }
    }
}
