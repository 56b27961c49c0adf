// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import Metering
import SwiftProtobuf

extension FirestoreCalls {
    /// Splits a collection group into parts of about equal size; billed a read a request.
    package func partitionQuery(
        _ request: Proto.PartitionQueryRequest,
        in context: CallContext
    ) throws -> Proto.PartitionQueryResponse {
        let parent = try ResourceParent(parsing: request.parent)
        context.attribute(to: parent.database)
        guard case .structuredQuery(let structured) = request.queryType else { throw CallError.partitionQueryMissing }
        context.attribute(to: structured, under: parent.document)
        try admitReading()
        try context.authorize(.partitionQuery, in: parent.database)
        guard request.partitionCount > 0 else { throw CallError.partitionCountNotPositive }
        guard request.pageSize >= 0 else { throw CallError.partitionPageSizeNegative }
        let query = try Query(structured, under: parent.document)
        try query.validateForPartitioning()
        try indexes.admit(query, in: parent.database)
        let point = try readPoint(request.consistency, in: parent.database)
        let cursors = try store.partition(
            query,
            count: Int(clamping: request.partitionCount),
            in: parent.database,
            at: point.time
        )
        context.bill(reads: 1)
        return try Proto.PartitionQueryResponse(cursors, in: parent.database, pageOf: request)
    }
}

extension Query {
    /// Refuses what cannot be cut at names, in production's words (recorded 2026-09).
    fileprivate func validateForPartitioning() throws {
        guard parent == nil else { throw CallError.partitionUnsupported("Ancestor queries are") }
        guard source.allDescendants else { throw CallError.partitionNotOfGroup }
        guard filter == nil else { throw CallError.partitionFiltered }
        guard limit == nil else { throw CallError.partitionUnsupported("Query limit is") }
        guard offset == 0 else { throw CallError.partitionUnsupported("Query offset is") }
        guard projection == nil else { throw CallError.partitionUnsupported("Property masks are") }
        guard startAt == nil else { throw CallError.partitionUnsupported("Query start cursors are") }
        guard endAt == nil else { throw CallError.partitionUnsupported("Query end cursors are") }
    }
}

extension Proto.PartitionQueryResponse {
    /// A page token counts the cursors already given, and says of how many parts.
    fileprivate init(
        _ cursors: [DocumentPath],
        in database: DatabaseID,
        pageOf request: Proto.PartitionQueryRequest
    ) throws {
        self.init()
        let start = try Self.start(ofPage: request)
        guard start <= cursors.count else { throw CallError.pageTokenOfOtherPartition }
        let pageSize = request.pageSize == 0 ? cursors.count : Int(request.pageSize)
        let end = min(cursors.count, start + pageSize)
        partitions = cursors[start..<end].map { path in
            var cursor = Proto.Cursor()
            cursor.values = [Proto.Value(.reference(DocumentReference(database: database, path: path)))]
            return cursor
        }
        nextPageToken = end < cursors.count ? "\(request.partitionCount):\(end)" : ""
    }

    private static func start(ofPage request: Proto.PartitionQueryRequest) throws -> Int {
        guard !request.pageToken.isEmpty else { return 0 }
        let parts = request.pageToken.split(separator: ":")
        guard parts.count == 2, let count = Int64(parts[0]), let start = Int(parts[1]), start >= 0 else {
            throw CallError.partitionPageTokenInvalid
        }
        guard count == request.partitionCount else { throw CallError.pageTokenOfOtherPartition }
        return start
    }
}
