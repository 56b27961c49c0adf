// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Metering

extension RecordTable {
    static let columns = """
        startMicroseconds, durationMicroseconds, method, status, outcome, service, operation, bucket, object, feed, \
        imageOwner, imageFeed, imageIndex, database, collection, query, client, user, receivedHeader, receivedBody, \
        receivedWire, sentHeader, sentBody, sentWire, egressBytes, classA, classB, documentReads, documentWrites, \
        documentDeletes, requestCount
        """
    private static let columnCount = 31
    private static let insertRecord = """
        INSERT INTO record (\(columns)) VALUES (\(Array(repeating: "?", count: columnCount).joined(separator: ", ")))
        """

    func insert(_ records: [UsageRecord], cache: inout TextCache) throws {
        var insertion = RecordInsertion(try database.cachedStatement(sql: Self.insertRecord))
        let texts = TextTable(database: database)
        for record in records {
            try insertion.append(record) { try cache.id(of: $0, in: texts) }
            try insertion.run()
        }
    }
}

/// The values of a record in the order of its columns.
extension RecordInsertion {
    /// Gives the id of a text.
    fileprivate typealias Interning = (ByteText) throws -> Int64

    fileprivate mutating func append(_ record: UsageRecord, _ id: Interning) throws {
        append(record.startMicroseconds)
        append(record.durationMicroseconds)
        try append(record.method, id)
        append(Int64(record.status))
        try append(record.outcome.rawValue, id)
        try append(record.attribution, id)
        append(record.received)
        append(record.sent)
        append(record.billed)
        append(record.requestCount)
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

    private mutating func append(_ bytes: TransferredBytes) {
        append(bytes.header)
        append(bytes.body)
        append(bytes.wire)
    }

    private mutating func append(_ billed: BilledUsage) {
        append(billed.egressBytes)
        append(billed.classA)
        append(billed.classB)
        append(billed.documentReads)
        append(billed.documentWrites)
        append(billed.documentDeletes)
    }
}
