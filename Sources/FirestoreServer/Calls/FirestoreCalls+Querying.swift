// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import Metering
import SwiftProtobuf

extension FirestoreCalls {
    /// Runs a query; its answers, at least one, of which a part is ready.
    ///
    /// As recorded from production (2026-09): a transaction the call began comes first, then what the offset skipped,
    /// then the documents; one without results answers with the time it read at. An explanation is on the last.
    func runQuery(
        _ request: Proto.RunQueryRequest,
        usage: inout CallUsage
    ) throws -> AnswerStream<DocumentAnswer<Proto.RunQueryResponse>> {
        try admitReading()
        let parent = try ResourceParent(parsing: request.parent)
        usage.attribute(to: parent.database)
        guard case .structuredQuery(let structured) = request.queryType else { throw CallError.queryMissing }
        usage.attribute(to: structured, under: parent.document)
        let asked = try AskedQuery(structured, under: parent.document)
        try indexes.admit(asked.query, in: parent.database, nearest: asked.nearest)
        let explanation =
            request.hasExplainOptions
            ? try Explanation(request.explainOptions, of: asked.query, nearest: asked.nearest) : nil
        let point = try readPoint(request.consistency, in: parent.database)
        if let explanation, !explanation.isAnalyzed {
            usage.billed.documentReads += 1
            return AnswerStream([QueryAnswers.plan(explanation.plan, in: parent.database)])
        }
        let answers = try transactions.read(
            in: point.transaction,
            at: point.time,
            of: parent.database,
            locking: .query(asked.query)
        ) { time in
            try QueryAnswers(
                asked.reading(of: store, in: parent.database, at: time),
                in: parent.database,
                begun: point.begun,
                explanation: explanation,
                billing: &usage.billed
            )
        }
        return AnswerStream { try answers.next(billing: &$0) }
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
