// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Metering

extension RecordTable {
    /// The records of a row.
    struct StoredRun {
        let sequence: Int64
        let first: UsageRecord
        let count: Int64
        fileprivate let laterTimes: [UInt8]

        /// Each of the records, with its times.
        func records() throws -> [UsageRecord] {
            guard let run = UsageRun(first, count: Int(count), packedTimes: laterTimes) else {
                throw UsageLedgerError.unreadable("times")
            }
            return run.records
        }
    }

    /// Returns records in the order of their recording, but those of a row one after the other.
    func records(after sequence: Int64, limit: Int) throws -> [UsageRecord] {
        var records: [UsageRecord] = []
        let runs = try runs(after: sequence, limit: limit)
        while records.count < limit, let run = try runs.next() { records += try run.records() }
        return Array(records.prefix(limit))
    }

    /// Returns rows in the order of their writing.
    func runs(after sequence: Int64, limit: Int) throws -> MapCursor<RowCursor, StoredRun> {
        let statement = try database.cachedStatement(
            sql: "SELECT \(Self.columns), sequence FROM record WHERE sequence > ? ORDER BY sequence LIMIT ?"
        )
        return try Row.fetchCursor(statement, arguments: [sequence, limit]).map(run)
    }

    private func run(_ row: Row) throws -> StoredRun {
        let count: Int64 = row["recordCount"]
        guard count > 0 else { throw UsageLedgerError.unreadable("count") }
        return StoredRun(
            sequence: row["sequence"],
            first: try record(row, dividedBy: count),
            count: count,
            laterTimes: Array(row["laterTimes"] as Data? ?? Data())
        )
    }

    private func record(_ row: Row, dividedBy count: Int64) throws -> UsageRecord {
        guard let outcome = try text(row[4]).flatMap(UsageRecord.Outcome.init) else {
            throw UsageLedgerError.unreadable("outcome")
        }
        guard let totals = UsageTotals(row, from: 15).divided(by: count) else {
            throw UsageLedgerError.unreadable("sum")
        }
        return try UsageRecord(
            startMicroseconds: row[0],
            durationMicroseconds: row[1],
            method: text(row[2]) ?? "",
            status: row[3],
            outcome: outcome,
            abortCause: text(row["abortCause"]).flatMap(AbortCause.init),
            attribution: attribution(row),
            received: totals.received,
            sent: totals.sent,
            billed: totals.billed,
            requestCount: totals.requests
        )
    }

    private func attribution(_ row: Row) throws -> UsageAttribution {
        guard let service = try text(row[5]).flatMap(UsageAttribution.Service.init) else {
            throw UsageLedgerError.unreadable("service")
        }
        var attribution = UsageAttribution(service: service, operation: try text(row[6]) ?? "")
        attribution.bucket = try text(row[7])
        attribution.object = try text(row[8])
        // Where there is an image, its name is the object's.
        if row[9] as Int64? != nil { attribution.image = attribution.object.flatMap { FeedImagePath(objectName: $0) } }
        attribution.database = try text(row[10])
        attribution.collection = try text(row[11])
        attribution.queryShape = try text(row[12])
        attribution.client = try text(row[13])
        attribution.user = try text(row[14])
        attribution.tag = try text(row["tag"])
        return attribution
    }

    private func text(_ id: Int64?) throws -> String? {
        try id.map(TextTable(database: database).text)
    }
}

extension UsageTotals {
    /// Returns one of several equal shares; `nil` where there is a rest.
    fileprivate func divided(by count: Int64) -> Self? {
        guard columnValues.allSatisfy({ $0 % count == 0 }) else { return nil }
        return Self(
            requests: requests / count,
            received: received / count,
            sent: sent / count,
            billed: billed / count
        )
    }
}

extension TransferredBytes {
    fileprivate static func / (bytes: Self, count: Int64) -> Self {
        Self(header: bytes.header / count, body: bytes.body / count, wire: bytes.wire / count)
    }
}

extension BilledUsage {
    fileprivate static func / (billed: Self, count: Int64) -> Self {
        Self(
            egressBytes: billed.egressBytes / count,
            classA: billed.classA / count,
            classB: billed.classB / count,
            documentReads: billed.documentReads / count,
            documentWrites: billed.documentWrites / count,
            documentDeletes: billed.documentDeletes / count,
            ruleReads: billed.ruleReads / count,
            tier1ActiveUsers: billed.tier1ActiveUsers / count,
            tier2ActiveUsers: billed.tier2ActiveUsers / count,
            smsMessages: billed.smsMessages / count
        )
    }
}
