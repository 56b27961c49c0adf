// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Metering

extension RecordTable {
    static let columns = """
        startMicroseconds, durationMicroseconds, method, status, outcome, service, operation, bucket, object, feed, \
        imageOwner, imageFeed, imageIndex, database, collection, query, client, user, receivedHeader, receivedBody, \
        receivedWire, sentHeader, sentBody, sentWire, egressBytes, classA, classB, documentReads, documentWrites, \
        documentDeletes, requestCount, recordCount, laterTimes
        """
    private static let columnCount = 33
    private static let insertRecord = """
        INSERT INTO record (\(columns)) VALUES (\(Array(repeating: "?", count: columnCount).joined(separator: ", ")))
        """

    func insert(_ records: [UsageRecord], cache: inout TextCache) throws {
        var insertion = RecordInsertion(try database.cachedStatement(sql: Self.insertRecord))
        let texts = TextTable(database: database)
        for run in RecordRun.runs(of: records) {
            try insertion.append(run) { try cache.id(of: $0, in: texts) }
            try insertion.run()
        }
    }
}

/// The values of a record in the order of its columns.
extension RecordInsertion {
    /// Gives the id of a text.
    fileprivate typealias Interning = (ByteText) throws -> Int64

    fileprivate mutating func append(_ run: RecordRun, _ id: Interning) throws {
        append(run.first.startMicroseconds)
        append(run.first.durationMicroseconds)
        let content = run.first.content
        try append(content.method, id)
        append(Int64(content.status))
        try append(content.outcome.rawValue, id)
        try append(content.attribution, id)
        append(content.received, times: run.count)
        append(content.sent, times: run.count)
        append(content.billed, times: run.count)
        append(content.requestCount * run.count)
        append(run.count)
        try append(run.laterTimes.bytes)
    }

    private mutating func append(_ attribution: UsageAttribution, _ id: Interning) throws {
        try append(attribution.service.rawValue, id)
        try append(attribution.operation, id)
        try append(attribution.bucket, id)
        try append(attribution.object, id)
        try append(attribution.image.map { "\($0.owner)/\($0.feed)" }, id)
        try append(attribution.image?.owner, id)
        try append(attribution.image?.feed, id)
        append((attribution.image?.index).map(Int64.init))
        try append(attribution.database, id)
        try append(attribution.collection, id)
        try append(attribution.queryShape, id)
        try append(attribution.client, id)
        try append(attribution.user, id)
    }

    private mutating func append(_ bytes: TransferredBytes, times count: Int64) {
        append(bytes.header * count)
        append(bytes.body * count)
        append(bytes.wire * count)
    }

    private mutating func append(_ billed: BilledUsage, times count: Int64) {
        append(billed.egressBytes * count)
        append(billed.classA * count)
        append(billed.classB * count)
        append(billed.documentReads * count)
        append(billed.documentWrites * count)
        append(billed.documentDeletes * count)
    }
}
