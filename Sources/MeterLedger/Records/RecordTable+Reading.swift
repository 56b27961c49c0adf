// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Metering
import NIOCore

extension RecordTable {
    /// Returns records in the order of their recording, but those of a row one after the other.
    func records(after sequence: Int64, limit: Int) throws -> [UsageRecord] {
        let statement = try database.cachedStatement(
            sql: "SELECT \(Self.columns) FROM record WHERE sequence > ? ORDER BY sequence LIMIT ?"
        )
        var records: [UsageRecord] = []
        let rows = try Row.fetchCursor(statement, arguments: [sequence, limit])
        while records.count < limit, let row = try rows.next() { records += try self.records(row) }
        return Array(records.prefix(limit))
    }

    private func records(_ row: Row) throws -> [UsageRecord] {
        let count: Int64 = row[31]
        guard count > 0 else { throw UsageLedgerError.unreadable("count") }
        var record = try record(row, dividedBy: count)
        var records = [record]
        let times = RecordTimes.read(ByteBuffer(bytes: row[32] as Data? ?? Data()), after: record)
        for (start, duration) in times ?? [] {
            record.startMicroseconds = start
            record.durationMicroseconds = duration
            records.append(record)
        }
        guard times != nil, records.count == count else { throw UsageLedgerError.unreadable("times") }
        return records
    }

    private func record(_ row: Row, dividedBy count: Int64) throws -> UsageRecord {
        guard let outcome = try text(row[4]).flatMap(UsageRecord.Outcome.init) else {
            throw UsageLedgerError.unreadable("outcome")
        }
        func share(_ column: Int) throws -> Int64 {
            let (share, rest) = (row[column] as Int64).quotientAndRemainder(dividingBy: count)
            guard rest == 0 else { throw UsageLedgerError.unreadable("sum") }
            return share
        }
        return try UsageRecord(
            startMicroseconds: row[0],
            durationMicroseconds: row[1],
            method: text(row[2]) ?? "",
            status: row[3],
            outcome: outcome,
            attribution: attribution(row),
            received: TransferredBytes(header: share(18), body: share(19), wire: share(20)),
            sent: TransferredBytes(header: share(21), body: share(22), wire: share(23)),
            billed: BilledUsage(
                egressBytes: share(24),
                classA: share(25),
                classB: share(26),
                documentReads: share(27),
                documentWrites: share(28),
                documentDeletes: share(29)
            ),
            requestCount: share(30)
        )
    }

    private func attribution(_ row: Row) throws -> UsageAttribution {
        guard let service = try text(row[5]).flatMap(UsageAttribution.Service.init) else {
            throw UsageLedgerError.unreadable("service")
        }
        var attribution = UsageAttribution(service: service, operation: try text(row[6]) ?? "")
        attribution.bucket = try text(row[7])
        attribution.object = try text(row[8])
        if let owner = try text(row[10]), let feed = try text(row[11]), let index = row[12] as Int? {
            attribution.image = FeedImagePath(owner: owner, feed: feed, index: index)
        }
        attribution.database = try text(row[13])
        attribution.collection = try text(row[14])
        attribution.queryShape = try text(row[15])
        attribution.client = try text(row[16])
        attribution.user = try text(row[17])
        return attribution
    }

    private func text(_ id: Int64?) throws -> String? {
        try id.map(TextTable(database: database).text)
    }
}
