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
    func plan(_ metrics: Proto.ExplainMetrics) -> DocumentAnswer<Proto.RunQueryResponse> {
        var response = Proto.RunQueryResponse()
        response.explainMetrics = metrics
        return DocumentAnswer(response, in: database)
    }

    /// All answers, once it is known what they cost.
    consuming func finish(
        _ cost: QueryCost,
        _ metrics: Proto.ExplainMetrics?
    ) -> [DocumentAnswer<Proto.RunQueryResponse>] {
        var timed = Proto.RunQueryResponse()
        timed.readTime = Google_Protobuf_Timestamp(cost.readTime)
        var answers: [DocumentAnswer<Proto.RunQueryResponse>] = []
        if let begun {
            var response = Proto.RunQueryResponse()
            response.transaction = begun.data
            answers.append(DocumentAnswer(response, in: database))
        }
        let headCount = answers.count
        if cost.skippedCount > 0 || documents.isEmpty {
            var response = timed
            response.skippedResults = Int32(clamping: cost.skippedCount)
            answers.append(DocumentAnswer(response, in: database))
        }
        answers += documents.map { DocumentAnswer(timed, $0, in: database) }
        if let metrics {
            answers[max(headCount, answers.count - 1)].message.explainMetrics = metrics
        }
        return answers
    }
}
