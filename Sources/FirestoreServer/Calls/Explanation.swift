// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import SwiftProtobuf

/// How a query is answered, for a client that asked.
struct Explanation {
    /// Whether the query is also run, and its cost reported.
    let isAnalyzed: Bool
    private let start = ContinuousClock.now
    private let indexes: [IndexDefinition]

    /// - Throws: `FirestoreError` for a query that is refused.
    init(
        _ options: Proto.ExplainOptions,
        of query: Query,
        aggregating aggregated: [FieldPath] = [],
        nearest: NearestSearch? = nil
    ) throws {
        isAnalyzed = options.analyze
        indexes = try query.servingIndexes(aggregating: aggregated, nearest: nearest)
    }

    /// The plan alone.
    var plan: Proto.ExplainMetrics {
        var metrics = Proto.ExplainMetrics()
        metrics.planSummary.indexesUsed = indexes.map { index in
            Google_Protobuf_Struct(fields: [
                "properties": .init(stringValue: "\(index)"),
                "query_scope": .init(stringValue: index.scope.name),
            ])
        }
        return metrics
    }

    /// The plan and what running it took.
    ///
    /// Numbers in the debug statistics are strings, as recorded from production (2026-09).
    func metrics(resultCount: Int, billedReads: Int, billableEntries: Int, read: ReadCounts) -> Proto.ExplainMetrics {
        var metrics = plan
        metrics.executionStats.resultsReturned = Int64(resultCount)
        metrics.executionStats.readOperations = Int64(billedReads)
        metrics.executionStats.executionDuration = Google_Protobuf_Duration(
            rounding: max(start.duration(to: .now), .microseconds(1))
        )
        metrics.executionStats.debugStats = Google_Protobuf_Struct(fields: [
            "billing_details": .init(
                structValue: billing(resultCount, billedReads: billedReads, entries: billableEntries)
            ),
            "documents_scanned": .init(stringValue: "\(read.documents)"),
            "index_entries_scanned": .init(stringValue: "\(read.indexEntries)"),
        ])
        return metrics
    }

    /// Documents and index entries read.
    struct ReadCounts {
        let documents: Int
        let indexEntries: Int
    }

    private func billing(_ resultCount: Int, billedReads: Int, entries: Int) -> Google_Protobuf_Struct {
        let documents = entries > 0 ? 0 : resultCount
        return Google_Protobuf_Struct(fields: [
            "documents_billable": .init(stringValue: "\(documents)"),
            "index_entries_billable": .init(stringValue: "\(entries)"),
            "min_query_cost": .init(stringValue: documents + entries == 0 ? "1" : "0"),
            "small_ops": .init(stringValue: "0"),
        ])
    }
}

extension IndexDefinition.Scope {
    fileprivate var name: String {
        switch self {
        case .collection: "Collection"
        case .collectionGroup: "Collection group"
        }
    }
}
