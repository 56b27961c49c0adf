// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import Wire

/// One routed request on its way to an answer.
struct RESTExchange {
    let calls: FirestoreCalls
    let route: RESTRoute
    var parameters: QueryParameters
    let form: AnswerForm
    let body: [UInt8]
    let caller: Caller

    /// Makes the call and encodes its answer, or the beginning of a long one.
    mutating func answer(usage: inout CallUsage) async throws -> RESTAnswer {
        switch route.call {
        case .getDocument: try encoded(document(usage: &usage))
        case .listDocuments:
            try encoded(calls.listDocuments(try listRequest(), caller: caller, usage: &usage))
        case .createDocument: try await written(calls.createDocument(try createRequest(), usage: &usage), usage: &usage)
        case .updateDocument: try await written(calls.updateDocument(try updateRequest(), usage: &usage), usage: &usage)
        case .deleteDocument: try await written(calls.deleteDocument(try deleteRequest(), usage: &usage), usage: &usage)
        case .batchGetDocuments:
            try streamed(calls.batchGetDocuments(try batchGetRequest(), usage: &usage), usage: &usage)
        case .batchWrite: try await written(calls.batchWrite(try batchWriteRequest(), usage: &usage), usage: &usage)
        case .commit:
            try await written(
                calls.commit(ReceivedCommit(try commitRequest()), usage: &usage).map(\.message),
                usage: &usage
            )
        case .listCollectionIDs:
            try encoded(calls.listCollectionIDs(try collectionIDsRequest(), usage: &usage))
        case .runAggregationQuery:
            try encodedList(calls.runAggregationQuery(try aggregationRequest(), usage: &usage), usage: &usage)
        case .runQuery: try streamed(calls.runQuery(try queryRequest(), usage: &usage), usage: &usage)
        case .clearDocuments: try encoded(calls.clearDocuments(of: route.database, usage: &usage))
        case .beginTransaction: try encoded(calls.beginTransaction(try beginRequest(), usage: &usage))
        case .rollback: try encoded(calls.rollback(try rollbackRequest(), usage: &usage))
        case .partitionQuery: try encoded(calls.partitionQuery(try partitionRequest(), usage: &usage))
        case .executePipeline: throw CallError.pipelineUnimplemented
        }
    }

    private func encoded(_ message: some Message) throws -> RESTAnswer {
        RESTAnswer(body: try ProtoJSON.encode(message, in: form))
    }

    private func encodedList(_ messages: [some Message], usage: inout CallUsage) throws -> RESTAnswer {
        try JSONAnswerList(AnswerStream(messages), in: form) { [form] in try ProtoJSON.element($0, in: form) }
            .beginning(billing: &usage.billed)
    }

    private func written<Response: Message>(
        _ answer: WriteAnswer<Response>,
        usage: inout CallUsage
    ) async throws -> RESTAnswer {
        try encoded(try await answer.value(usage: &usage))
    }

    private func streamed(
        _ answers: AnswerStream<DocumentAnswer<some DocumentCarrying>>,
        usage: inout CallUsage
    ) throws -> RESTAnswer {
        try JSONAnswerList(answers, in: form) { [form] in try ProtoJSON.element(try $0.whole, in: form) }
            .beginning(billing: &usage.billed)
    }

    private mutating func document(usage: inout CallUsage) throws -> Proto.Document {
        let (document, database) = try calls.getDocument(try getRequest(), usage: &usage)
        return try Proto.Document(document, in: database)
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
