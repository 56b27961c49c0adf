// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import SwiftProtobuf
import Wire

/// One routed request on its way to an answer.
struct RESTExchange {
    let calls: FirestoreCalls
    let route: RESTRoute
    var parameters: QueryParameters
    let form: AnswerForm
    let body: [UInt8]
    let context: CallContext

    /// Makes the call and encodes its answer, or the beginning of a long one.
    mutating func answer() async throws -> RESTAnswer {
        switch route.call {
        case .getDocument: try encoded(document())
        case .listDocuments:
            try encoded(calls.listDocuments(try listRequest(), in: context))
        case .createDocument: try await written(calls.createDocument(try createRequest(), in: context))
        case .updateDocument: try await written(calls.updateDocument(try updateRequest(), in: context))
        case .deleteDocument: try await written(calls.deleteDocument(try deleteRequest(), in: context))
        case .batchGetDocuments:
            try streamed(calls.batchGetDocuments(try batchGetRequest(), in: context))
        case .batchWrite: try await written(calls.batchWrite(try batchWriteRequest(), in: context))
        case .commit:
            try await written(
                calls.commit(ReceivedCommit(try commitRequest()), in: context).map(\.message)
            )
        case .listCollectionIDs:
            try encoded(calls.listCollectionIDs(try collectionIDsRequest(), in: context))
        case .runAggregationQuery:
            try encodedList(calls.runAggregationQuery(try aggregationRequest(), in: context))
        case .runQuery: try streamed(calls.runQuery(try queryRequest(), in: context))
        case .clearDocuments:
            try encoded(await calls.clearDocuments(of: route.database, below: route.segments, in: context))
        case .beginTransaction: try encoded(calls.beginTransaction(try beginRequest(), in: context))
        case .rollback: try encoded(calls.rollback(try rollbackRequest(), in: context))
        case .partitionQuery: try encoded(calls.partitionQuery(try partitionRequest(), in: context))
        case .executePipeline: throw CallError.pipelineUnimplemented
        }
    }

    private func encoded(_ message: some Message) throws -> RESTAnswer {
        RESTAnswer(body: try ProtoJSON.encode(message, in: form))
    }

    private func encodedList(_ messages: [some Message]) throws -> RESTAnswer {
        try JSONAnswerList(AnswerStream(messages), of: context, in: form) { [form] in
            try ProtoJSON.element($0, in: form)
        }
        .beginning()
    }

    private func written<Response: Message>(
        _ answer: WriteAnswer<Response>
    ) async throws -> RESTAnswer {
        try encoded(try await answer.value())
    }

    private func streamed(
        _ answers: AnswerStream<DocumentAnswer<some DocumentCarrying>>
    ) throws -> RESTAnswer {
        try JSONAnswerList(answers, of: context, in: form) { [form] in try ProtoJSON.element(try $0.whole, in: form) }
            .beginning()
    }

    private mutating func document() throws -> Proto.Document {
        let (document, database) = try calls.getDocument(try getRequest(), in: context)
        return try Proto.Document(document, in: database)
    }

    /// Decodes the body, and refuses unused parameters.
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

// The requests whose fields come from the body, but for the resource in the path.
extension RESTExchange {
    func batchGetRequest() throws -> Proto.BatchGetDocumentsRequest {
        var request = try decodedBody(as: Proto.BatchGetDocumentsRequest.self)
        request.database = try urlName(route.database, repeatedAs: request.database)
        return request
    }

    func batchWriteRequest() throws -> Proto.BatchWriteRequest {
        var request = try decodedBody(as: Proto.BatchWriteRequest.self)
        request.database = try urlName(route.database, repeatedAs: request.database)
        return request
    }

    func beginRequest() throws -> Proto.BeginTransactionRequest {
        var request = try decodedBody(as: Proto.BeginTransactionRequest.self)
        request.database = try urlName(route.database, repeatedAs: request.database)
        return request
    }

    func rollbackRequest() throws -> Proto.RollbackRequest {
        var request = try decodedBody(as: Proto.RollbackRequest.self)
        request.database = try urlName(route.database, repeatedAs: request.database)
        return request
    }

    func partitionRequest() throws -> Proto.PartitionQueryRequest {
        var request = try decodedBody(as: Proto.PartitionQueryRequest.self)
        request.parent = try urlName(route.name, repeatedAs: request.parent)
        return request
    }

    func commitRequest() throws -> Proto.CommitRequest {
        var request = try decodedBody(as: Proto.CommitRequest.self)
        request.database = try urlName(route.database, repeatedAs: request.database)
        return request
    }

    func collectionIDsRequest() throws -> Proto.ListCollectionIDsRequest {
        var request = try decodedBody(as: Proto.ListCollectionIDsRequest.self)
        request.parent = try urlName(route.name, repeatedAs: request.parent)
        return request
    }

    func queryRequest() throws -> Proto.RunQueryRequest {
        var request = try decodedBody(as: Proto.RunQueryRequest.self)
        request.parent = try urlName(route.name, repeatedAs: request.parent)
        return request
    }

    func aggregationRequest() throws -> Proto.RunAggregationQueryRequest {
        var request = try decodedBody(as: Proto.RunAggregationQueryRequest.self)
        request.parent = try urlName(route.name, repeatedAs: request.parent)
        return request
    }
}
