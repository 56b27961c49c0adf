// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Metering

/// The statements on records.
struct RecordTable {
    let database: Database

    private static let sums = """
        IFNULL(SUM(requestCount), 0) AS requests, \
        SUM(receivedHeader), SUM(receivedBody), SUM(receivedWire), \
        SUM(sentHeader), SUM(sentBody), SUM(sentWire) AS sentWire, \
        SUM(egressBytes), SUM(classA), SUM(classB), SUM(documentReads), SUM(documentWrites), SUM(documentDeletes)
        """

    /// The sequence number of the last record, 0 for none.
    func lastSequence() throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT max(sequence) FROM record")
        return try Int64.fetchOne(statement) ?? 0
    }

    func totals(after sequence: Int64) throws -> UsageTotals {
        let statement = try database.cachedStatement(sql: "SELECT \(Self.sums) FROM record WHERE sequence > ?")
        guard let row = try Row.fetchOne(statement, arguments: [sequence]) else { return .zero }
        return UsageTotals(row, from: 0)
    }

    /// Returns the groups, those that sent most first, then by the bytes of their keys.
    ///
    /// Every record belongs to one group, so they add up to the total.
    func groups(by dimension: UsageDimension, after sequence: Int64) throws -> [UsageGroup] {
        // The raw values of dimensions are names of columns.
        let key = "coalesce(\(dimension.rawValue), \(TextTable.emptyID))"
        let statement = try database.cachedStatement(
            sql: """
                SELECT text.value, sum.* FROM (
                    SELECT \(key) AS keyID, \(Self.sums) FROM record WHERE sequence > ? GROUP BY \(key)
                ) AS sum JOIN text ON text.id = sum.keyID
                ORDER BY sum.sentWire DESC, text.value
                """
        )
        return try Row.fetchAll(statement, arguments: [sequence]).map { row in
            UsageGroup(key: String(decoding: row[0] as Data, as: UTF8.self), totals: UsageTotals(row, from: 2))
        }
    }
}

extension UsageTotals {
    /// Reads the columns of `RecordTable.sums`; the sums of no records are NULL.
    fileprivate init(_ row: Row, from first: Int) {
        func sum(_ index: Int) -> Int64 {
            let value: Int64? = row[first + index]
            return value ?? 0
        }
        self.init(
            requests: sum(0),
            received: TransferredBytes(header: sum(1), body: sum(2), wire: sum(3)),
            sent: TransferredBytes(header: sum(4), body: sum(5), wire: sum(6)),
            billed: BilledUsage(
                egressBytes: sum(7),
                classA: sum(8),
                classB: sum(9),
                documentReads: sum(10),
                documentWrites: sum(11),
                documentDeletes: sum(12)
            )
        )
    }
}
