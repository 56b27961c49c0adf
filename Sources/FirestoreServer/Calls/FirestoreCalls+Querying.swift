// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import Metering
import SwiftProtobuf

extension FirestoreCalls {
    /// Runs a query; one without results answers with the time it read at.
    package func runQuery(
        _ request: Proto.RunQueryRequest,
        usage: inout CallUsage
    ) throws -> [Proto.RunQueryResponse] {
        let parent = try ResourceParent(parsing: request.parent)
        usage.attribute(to: parent.database)
        guard case .structuredQuery(let structured) = request.queryType else { throw CallError.queryMissing }
        usage.attribute(to: structured, under: parent.document)
        try request.consistency.requireLatest()
        guard !request.hasExplainOptions else { throw CallError.explainUnimplemented }
        let query = try Query(structured, under: parent.document)
        let result = try store.run(query, in: parent.database)
        usage.billed.documentReads += Int64(result.billedReads)
        return Self.responses(to: result, in: parent.database)
    }

    private static func responses(to result: QueryResult, in database: DatabaseID) -> [Proto.RunQueryResponse] {
        let readTime = Google_Protobuf_Timestamp(result.readTime)
        var responses = result.documents.map { document in
            var response = Proto.RunQueryResponse()
            response.document = Proto.Document(document, in: database)
            response.readTime = readTime
            return response
        }
        if responses.isEmpty {
            responses.append(Proto.RunQueryResponse())
            responses[0].readTime = readTime
        }
        responses[0].skippedResults = Int32(clamping: result.skippedCount)
        return responses
    }
}

extension CallUsage {
    /// Notes the collection a query looks in and the query's shape.
    mutating func attribute(to query: Proto.StructuredQuery, under parent: DocumentPath?) {
        let shape = QueryShape(query, under: parent?.collectionIDs ?? [])
        attribution.collection = shape.collection
        attribution.queryShape = shape.text
    }
}
