// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
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
        in context: CallContext
    ) throws -> AnswerStream<DocumentAnswer<Proto.RunQueryResponse>> {
        let parent = try ResourceParent(parsing: request.parent)
        context.attribute(to: parent.database)
        guard case .structuredQuery(let structured) = request.queryType else { throw CallError.queryMissing }
        context.attribute(to: structured, under: parent.document)
        context.note { $0.listed(ReadDocuments.List(structured, under: parent.document)) }
        try admitReading()
        let asked = try AskedQuery(structured, under: parent.document)
        try indexes.admit(asked.query, in: parent.database, nearest: asked.nearest)
        let explanation =
            request.hasExplainOptions
            ? try Explanation(request.explainOptions, of: asked.query, nearest: asked.nearest) : nil
        let point = try readPoint(request.consistency, in: parent.database)
        if let explanation, !explanation.isAnalyzed {
            try context.authorize(asked.query, nearest: asked.nearest, of: store, in: parent.database)
            context.bill(reads: 1)
            return AnswerStream([QueryAnswers.plan(explanation.plan, in: parent.database)])
        }
        let answers = try transactions.read(
            in: point.transaction,
            at: point.time,
            of: parent.database,
            locking: .query(asked.query)
        ) { time in
            try context.authorize(asked.query, nearest: asked.nearest, of: store, in: parent.database, at: time)
            return try QueryAnswers(
                asked.reading(of: store, in: parent.database, at: time),
                in: parent.database,
                begun: point.begun,
                explanation: explanation,
                in: context
            )
        }
        return AnswerStream { try answers.next() }
    }
}
