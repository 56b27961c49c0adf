// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import SwiftProtobuf
import Testing

@testable import FirestoreServer

struct BodyCheckerTests {
    /// The message types of the schema's table, all but those without a type of their own.
    private static let types: [any Message.Type] = [
        Proto.BatchGetDocumentsRequest.self, Proto.BatchWriteRequest.self, Proto.CommitRequest.self,
        Proto.ListCollectionIDsRequest.self, Proto.RunQueryRequest.self, Proto.RunAggregationQueryRequest.self,
        Google_Firestore_V1_BeginTransactionRequest.self, Google_Firestore_V1_PartitionQueryRequest.self,
        Google_Firestore_V1_RollbackRequest.self, Google_Firestore_V1_ExplainOptions.self,
        Google_Firestore_V1_RequestOptions.self, Google_Firestore_V1_TransactionOptions.self,
        Google_Firestore_V1_TransactionOptions.ReadOnly.self, Google_Firestore_V1_TransactionOptions.ReadWrite.self,
        Proto.Document.self, Proto.DocumentMask.self, Proto.Precondition.self, Proto.Value.self, Proto.ArrayValue.self,
        Proto.MapValue.self, Proto.LatLng.self, Proto.Write.self, Google_Firestore_V1_DocumentTransform.self,
        Proto.FieldTransform.self, Proto.StructuredAggregationQuery.self,
        Proto.StructuredAggregationQuery.Aggregation.self, Proto.StructuredAggregationQuery.Aggregation.Count.self,
        Proto.StructuredAggregationQuery.Aggregation.Sum.self, Proto.StructuredAggregationQuery.Aggregation.Avg.self,
        Proto.Cursor.self, Proto.StructuredQuery.self, Proto.StructuredQuery.CollectionSelector.self,
        Proto.StructuredQuery.Filter.self, Proto.StructuredQuery.CompositeFilter.self,
        Proto.StructuredQuery.FieldFilter.self, Proto.StructuredQuery.UnaryFilter.self,
        Proto.StructuredQuery.Order.self, Proto.StructuredQuery.FieldReference.self,
        Proto.StructuredQuery.Projection.self, Proto.StructuredQuery.FindNearest.self,
        Proto.BatchGetDocumentsResponse.self, Proto.BatchWriteResponse.self, Proto.BeginTransactionResponse.self,
        Proto.CommitResponse.self, Proto.ListCollectionIDsResponse.self, Proto.ListDocumentsResponse.self,
        Proto.PartitionQueryResponse.self, Proto.RunQueryResponse.self, Proto.RunAggregationQueryResponse.self,
        Proto.AggregationResult.self, Proto.WriteResult.self, Proto.ExplainMetrics.self,
        Google_Firestore_V1_PlanSummary.self, Google_Firestore_V1_ExecutionStats.self, Proto.Status.self,
        Google_Protobuf_Empty.self, Proto.ListenRequest.self, Proto.WriteRequest.self, Proto.Target.self,
        Proto.Target.QueryTarget.self, Proto.Target.DocumentsTarget.self,
    ]

    @Test func `knows every message by its name`() {
        #expect(Set(Self.types.map { $0.protoMessageName }) == Set(MessageSchema.allNames))
    }

    @Test func `knows only fields that exist, by both names`() throws {
        for type in Self.types {
            for field in try #require(MessageSchema.named(type.protoMessageName)).fields {
                for name in [field.name, field.jsonName] {
                    let message = try? type.init(jsonString: #"{"\#(name)":null}"#)
                    #expect(message != nil, "\(type.protoMessageName) has no \(name)")
                }
            }
        }
    }

    @Test(
        arguments: [
            (#"{"writes":[{"delete":1}]}"#, "Invalid value at 'writes[0].delete' (TYPE_STRING), 1"),
            (
                #"{"writes":[{},{"update":{"fields":{"a":{"booleanValue":"no"}}}}]}"#,
                "Invalid value at 'writes[1].update.fields[0].value.boolean_value' (TYPE_BOOL), \"no\""
            ),
            (
                #"{"writes":[{"update":"x"}]}"#,
                "Invalid value at 'writes[0].update' (type.googleapis.com/google.firestore.v1.Document), \"x\""
            ),
            (
                #"{"database":["x"]}"#,
                "Invalid JSON payload received. Unknown name \"database\": Proto field is not repeating, cannot start list."
            ),
            (
                #"{"a":1,"writes":[{"b":1}]}"#,
                """
                Invalid JSON payload received. Unknown name "a": Cannot find field.
                Invalid JSON payload received. Unknown name "b" at 'writes[0]': Cannot find field.
                """
            ),
        ]
    )
    func `says where a body is wrong`(body: String, message: String) throws {
        let error = #expect(throws: CallError.self) {
            try ProtoJSON.decode(Array(body.utf8), as: Proto.CommitRequest.self)
        }
        #expect(error?.message == message)
        #expect(error?.details.count == 1)
    }

    @Test func `tells of a hundred faults, however many there are`() {
        let body = "{\(String(repeating: "x:1,", count: 5_000))}"
        let error = #expect(throws: CallError.self) {
            try ProtoJSON.decode(Array(body.utf8), as: Proto.CommitRequest.self)
        }
        guard case .badRequest(let violations) = error?.details.first else {
            Issue.record("no violations")
            return
        }
        #expect(violations.count == 100)
    }

    /// TX #retry-with-malformed-previous.
    @Test func `quotes what is no base64`() {
        let body = #"{"options":{"readWrite":{"retryTransaction":"not base64!"}}}"#
        let error = #expect(throws: CallError.self) {
            try ProtoJSON.decode(Array(body.utf8), as: Google_Firestore_V1_BeginTransactionRequest.self)
        }
        #expect(
            error?.message == """
                Invalid value at 'options.read_write.retry_transaction' (TYPE_BYTES), \
                Base64 decoding failed for "not base64!"
                """
        )
    }

    @Test func `reads loose bodies`() throws {
        let body = #"{"writes":{"update":{"name":'n',"fields":{"a":{"doubleValue":"1.5"}}}},"transaction":null,}"#
        let request = try ProtoJSON.decode(Array(body.utf8), as: Proto.CommitRequest.self)
        #expect(request.writes.map(\.update.name) == ["n"])
        #expect(request.writes[0].update.fields["a"]?.doubleValue == 1.5)
    }
}
