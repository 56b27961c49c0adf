// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import SwiftProtobuf

/// The answers of one run of a query, in the order production sends them (recorded 2026-09).
struct QueryAnswers {
    private let database: DatabaseID
    private let begun: TransactionID?
    private var documents: [Document] = []

    init(in database: DatabaseID, begun: TransactionID?) {
        self.database = database
        self.begun = begun
    }

    mutating func add(_ document: Document) {
        documents.append(document)
    }

    /// The one answer of a query that is explained but not run.
    func plan(_ metrics: Proto.ExplainMetrics) -> Proto.RunQueryResponse {
        var response = Proto.RunQueryResponse()
        response.explainMetrics = metrics
        return response
    }

    /// All answers, once it is known what they cost.
    consuming func finish(_ cost: QueryCost, _ metrics: Proto.ExplainMetrics?) -> [Proto.RunQueryResponse] {
        let readTime = Google_Protobuf_Timestamp(cost.readTime)
        var responses: [Proto.RunQueryResponse] = []
        if let begun {
            responses.append(Proto.RunQueryResponse())
            responses[0].transaction = begun.data
        }
        let headCount = responses.count
        if cost.skippedCount > 0 || documents.isEmpty {
            var response = Proto.RunQueryResponse()
            response.readTime = readTime
            response.skippedResults = Int32(clamping: cost.skippedCount)
            responses.append(response)
        }
        for document in documents {
            var response = Proto.RunQueryResponse()
            response.document = Proto.Document(document, in: database)
            response.readTime = readTime
            responses.append(response)
        }
        if let metrics {
            responses[max(headCount, responses.count - 1)].explainMetrics = metrics
        }
        return responses
    }
}
