// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol

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
        return DocumentAnswer(rest: response, in: database)
    }

    /// All answers, once it is known what they cost.
    consuming func finish(
        _ cost: QueryCost,
        _ metrics: Proto.ExplainMetrics?
    ) -> [DocumentAnswer<Proto.RunQueryResponse>] {
        var answers: [DocumentAnswer<Proto.RunQueryResponse>] = []
        if let begun {
            var response = Proto.RunQueryResponse()
            response.transaction = begun.data
            answers.append(DocumentAnswer(rest: response, in: database))
        }
        let headCount = answers.count
        if cost.skippedCount > 0 || documents.isEmpty {
            var response = Proto.RunQueryResponse()
            response.skippedResults = Int32(clamping: cost.skippedCount)
            answers.append(DocumentAnswer(readTime: cost.readTime, rest: response, in: database))
        }
        answers += documents.map { DocumentAnswer($0, readTime: cost.readTime, in: database) }
        if let metrics {
            let last = max(headCount, answers.count - 1)
            answers[last].rest = answers[last].rest ?? Proto.RunQueryResponse()
            answers[last].rest?.explainMetrics = metrics
        }
        return answers
    }
}
