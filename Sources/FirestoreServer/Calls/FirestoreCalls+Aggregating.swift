// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import Metering
import SwiftProtobuf

extension FirestoreCalls {
    /// Computes counts, sums and averages over a query's documents.
    ///
    /// Billed a read for up to 1,000 index entries, at least one.
    ///
    /// Source: Firestore pricing, firebase.google.com/docs/firestore/pricing (2026-11).
    package func runAggregationQuery(
        _ request: Proto.RunAggregationQueryRequest,
        in context: CallContext
    ) throws -> [Proto.RunAggregationQueryResponse] {
        let parent = try ResourceParent(parsing: request.parent)
        context.attribute(to: parent.database)
        guard case .structuredAggregationQuery(let aggregated) = request.queryType else {
            throw CallError.aggregationQueryMissing
        }
        // Without a query it is about every document under the parent.
        let structured = aggregated.structuredQuery
        context.attribute(to: structured, under: parent.document)
        context.note { $0.aggregated() }
        try admitReading()
        let asked = try AskedQuery(structured, under: parent.document)
        var fold = try AggregationFold(aggregated.aggregations, over: asked)
        context.attribute { $0.queryShape? += " " + fold.shape }
        try indexes.admit(asked.query, in: parent.database, aggregating: fold.requiredFields, nearest: asked.nearest)
        let explanation =
            request.hasExplainOptions
            ? try Explanation(
                request.explainOptions,
                of: asked.query,
                aggregating: fold.requiredFields,
                nearest: asked.nearest
            ) : nil
        let point = try readPoint(request.consistency, in: parent.database)
        var responses = Proto.RunAggregationQueryResponse.beginning(point.begun)
        if let explanation, !explanation.isAnalyzed {
            try context.authorize(asked.query, nearest: asked.nearest, of: store, in: parent.database)
            context.bill(reads: 1)
            return responses + [Proto.RunAggregationQueryResponse(explaining: explanation.plan)]
        }
        guard !fold.needsNoDocument else {
            try fold.query.validate(in: parent.database)
            try context.authorize(asked.query, nearest: asked.nearest, of: store, in: parent.database)
            context.bill(reads: 1)
            return responses + [Proto.RunAggregationQueryResponse(fold.result, readTime: .beforeTheEpoch)]
        }
        let cost = try transactions.read(
            in: point.transaction,
            at: point.time,
            of: parent.database,
            locking: .query(asked.query)
        ) { time in
            try context.authorize(asked.query, nearest: asked.nearest, of: store, in: parent.database, at: time)
            return try fold.run(over: asked, on: store, in: parent.database, at: time)
        }
        let billedReads = Self.billedReads(indexEntries: cost.indexEntriesRead)
        context.bill(reads: billedReads)
        var response = Proto.RunAggregationQueryResponse(fold.result, readTime: cost.readTime)
        if let explanation {
            response.explainMetrics = explanation.metrics(ofEntries: cost.indexEntriesRead, billedReads: billedReads)
        }
        responses.append(response)
        return responses
    }

    private static let indexEntriesPerRead = 1_000

    private static func billedReads(indexEntries: Int) -> Int {
        max(1, (indexEntries + indexEntriesPerRead - 1) / indexEntriesPerRead)
    }
}

extension Timestamp {
    /// Production's read time where it reads nothing (recorded 2026-09).
    fileprivate static let beforeTheEpoch = Timestamp(microseconds: -1)
}

extension Explanation {
    fileprivate func metrics(ofEntries entryCount: Int, billedReads: Int) -> Proto.ExplainMetrics {
        metrics(
            resultCount: 1,
            billedReads: billedReads,
            billableEntries: entryCount,
            read: ReadCounts(documents: 0, indexEntries: entryCount)
        )
    }
}

extension Proto.RunAggregationQueryResponse {
    fileprivate init(_ values: [String: Value], readTime: Timestamp) {
        self.init()
        result.aggregateFields = values.mapValues { Proto.Value($0) }
        self.readTime = Google_Protobuf_Timestamp(readTime)
    }

    fileprivate init(explaining metrics: Proto.ExplainMetrics) {
        self.init()
        explainMetrics = metrics
    }

    /// The answer before all others, when the call began a transaction.
    fileprivate static func beginning(_ transaction: TransactionID?) -> [Self] {
        guard let transaction else { return [] }
        var response = Self()
        response.transaction = transaction.data
        return [response]
    }
}
