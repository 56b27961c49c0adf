// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import Wire

/// One routed request on its way to an answer.
struct RESTExchange {
    let calls: FirestoreCalls
    let route: RESTRoute
    var parameters: QueryParameters
    let body: [UInt8]
    let caller: Caller

    /// Makes the call and encodes its answer.
    mutating func answer(usage: inout CallUsage) async throws -> [UInt8] {
        switch route.call {
        case .getDocument: try ProtoJSON.encode(document(usage: &usage))
        case .listDocuments:
            try ProtoJSON.encode(calls.listDocuments(try listRequest(), caller: caller, usage: &usage))
        case .createDocument: try await written(calls.createDocument(try createRequest(), usage: &usage), usage: &usage)
        case .updateDocument: try await written(calls.updateDocument(try updateRequest(), usage: &usage), usage: &usage)
        case .deleteDocument: try await written(calls.deleteDocument(try deleteRequest(), usage: &usage), usage: &usage)
        case .batchGetDocuments:
            try ProtoJSON.encodeStream(calls.batchGetDocuments(try batchGetRequest(), usage: &usage).map(\.whole))
        case .batchWrite: try ProtoJSON.encode(await calls.batchWrite(try batchWriteRequest(), usage: &usage))
        case .commit:
            try await written(
                calls.commit(ReceivedCommit(try commitRequest()), usage: &usage).map(\.message),
                usage: &usage
            )
        case .listCollectionIDs:
            try ProtoJSON.encode(calls.listCollectionIDs(try collectionIDsRequest(), usage: &usage))
        case .runAggregationQuery:
            try ProtoJSON.encodeStream(calls.runAggregationQuery(try aggregationRequest(), usage: &usage))
        case .runQuery: try ProtoJSON.encodeStream(calls.runQuery(try queryRequest(), usage: &usage).map(\.whole))
        case .clearDocuments: try ProtoJSON.encode(calls.clearDocuments(of: route.database, usage: &usage))
        case .beginTransaction: try ProtoJSON.encode(calls.beginTransaction(try beginRequest(), usage: &usage))
        case .rollback: try ProtoJSON.encode(calls.rollback(try rollbackRequest(), usage: &usage))
        case .partitionQuery: try ProtoJSON.encode(calls.partitionQuery(try partitionRequest(), usage: &usage))
        case .executePipeline: throw CallError.pipelineUnimplemented
        }
    }

    private func written<Response: Message>(
        _ answer: WriteAnswer<Response>,
        usage: inout CallUsage
    ) async throws -> [UInt8] {
        try ProtoJSON.encode(try await answer.value(usage: &usage))
    }

    private mutating func document(usage: inout CallUsage) throws -> Proto.Document {
        let (document, database) = try calls.getDocument(try getRequest(), usage: &usage)
        return Proto.Document(document, in: database)
    }

    /// Decodes the body, and refuses parameters nobody took.
    func decodedBody<Message: SwiftProtobuf.Message>(as type: Message.Type) throws -> Message {
        try parameters.finish()
        return try ProtoJSON.decode(body, as: type)
    }

    /// A resource the body may repeat but not contradict.
    func urlName(_ name: String, repeatedAs bodyName: String) throws -> String {
        guard bodyName.isEmpty || bodyName == name else { throw CallError.nameMismatch(url: name) }
        return name
    }
}
