// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Metering

extension RecordTable {
    /// Returns records in the order of their recording.
    func records(after sequence: Int64, limit: Int) throws -> [UsageRecord] {
        let statement = try database.cachedStatement(
            sql: "SELECT \(Self.columns) FROM record WHERE sequence > ? ORDER BY sequence LIMIT ?"
        )
        return try Row.fetchAll(statement, arguments: [sequence, limit]).map(record)
    }

    private func record(_ row: Row) throws -> UsageRecord {
        guard let outcome = try text(row[4]).flatMap(UsageRecord.Outcome.init) else {
            throw UsageLedgerError.unreadable("outcome")
        }
        return UsageRecord(
            startMicroseconds: row[0],
            durationMicroseconds: row[1],
            method: try text(row[2]) ?? "",
            status: row[3],
            outcome: outcome,
            attribution: try attribution(row),
            received: TransferredBytes(header: row[18], body: row[19], wire: row[20]),
            sent: TransferredBytes(header: row[21], body: row[22], wire: row[23]),
            billed: BilledUsage(
                egressBytes: row[24],
                classA: row[25],
                classB: row[26],
                documentReads: row[27],
                documentWrites: row[28],
                documentDeletes: row[29]
            ),
            requestCount: row[30]
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
