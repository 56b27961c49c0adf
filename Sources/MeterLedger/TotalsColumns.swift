// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Metering

/// The columns of a sum, which records and rollups have alike.
enum TotalsColumns {
    static let names = [
        "receivedHeader", "receivedBody", "receivedWire", "sentHeader", "sentBody", "sentWire", "egressBytes", "classA",
        "classB", "documentReads", "documentWrites", "documentDeletes", "ruleReads", "tier1ActiveUsers",
        "tier2ActiveUsers", "smsMessages", "requestCount",
    ]

    /// The columns, separated by commas.
    static let list = names.joined(separator: ", ")

    /// The sums over the columns of several rows, under the same names.
    static let sums = names.map { "SUM(\($0)) AS \($0)" }.joined(separator: ", ")
}

extension UsageTotals {
    /// The values of the columns.
    var columnValues: [Int64] {
        [
            received.header, received.body, received.wire, sent.header, sent.body, sent.wire, billed.egressBytes,
            billed.classA, billed.classB, billed.documentReads, billed.documentWrites, billed.documentDeletes,
            billed.ruleReads, billed.tier1ActiveUsers, billed.tier2ActiveUsers, billed.smsMessages, requests,
        ]
    }

    /// Reads the columns, which begin somewhere in a row.
    init(_ row: Row, from first: Int) { self.init { row[first + $0] } }

    /// Reads the columns, which begin somewhere in the present row.
    init(_ rows: NumberRows, from first: Int) { self.init { rows[first + $0] } }

    private init(_ value: (Int) -> Int64) {
        self.init(
            requests: value(16),
            received: TransferredBytes(header: value(0), body: value(1), wire: value(2)),
            sent: TransferredBytes(header: value(3), body: value(4), wire: value(5)),
            billed: BilledUsage(
                egressBytes: value(6),
                classA: value(7),
                classB: value(8),
                documentReads: value(9),
                documentWrites: value(10),
                documentDeletes: value(11),
                ruleReads: value(12),
                tier1ActiveUsers: value(13),
                tier2ActiveUsers: value(14),
                smsMessages: value(15)
            )
        )
    }
}
