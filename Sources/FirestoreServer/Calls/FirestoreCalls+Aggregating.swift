// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import Metering
import SwiftProtobuf

extension FirestoreCalls {
    /// Computes counts, sums and averages over a query's documents; one answer.
    ///
    /// Billed a read for up to 1,000 index entries, at least one (facts, §7, 2026-11).
    package func runAggregationQuery(
        _ request: Proto.RunAggregationQueryRequest,
        usage: inout CallUsage
    ) throws -> [Proto.RunAggregationQueryResponse] {
        let parent = try ResourceParent(parsing: request.parent)
        usage.attribute(to: parent.database)
        guard case .structuredAggregationQuery(let aggregated) = request.queryType,
            case .structuredQuery(let structured) = aggregated.queryType
        else { throw CallError.queryMissing }
        usage.attribute(to: structured, under: parent.document)
        try request.consistency.requireLatest()
        guard !request.hasExplainOptions else { throw CallError.explainUnimplemented }

        var fold = try AggregationFold(aggregated.aggregations, over: try Query(structured, under: parent.document))
        usage.attribution.queryShape? += " " + fold.shape
        let summary = try store.run(fold.query, in: parent.database) { fold.add($0) }
        usage.billed.documentReads += Self.billedReads(indexEntries: summary.indexEntriesRead)
        return [Self.response(fold.result, readTime: summary.readTime)]
    }

    private static let indexEntriesPerRead = 1_000

    private static func billedReads(indexEntries: Int) -> Int64 {
        Int64(max(1, (indexEntries + indexEntriesPerRead - 1) / indexEntriesPerRead))
    }

    private static func response(
        _ values: [String: Value],
        readTime: Timestamp
    ) -> Proto.RunAggregationQueryResponse {
        var response = Proto.RunAggregationQueryResponse()
        response.result.aggregateFields = values.mapValues { Proto.Value($0) }
        response.readTime = Google_Protobuf_Timestamp(readTime)
        return response
    }
}
