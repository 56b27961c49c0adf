// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import Testing

@testable import LogImport

struct LogTotalsTests {
    private static func totals(
        _ rows: [(id: String, status: Int, bytes: Int64?, operation: LoggedOperation)]
    ) throws -> LogTotals {
        var batch = RequestBatch(hasNames: false)
        for (index, row) in rows.enumerated() {
            var text = RequestText()
            let id = text.append(row.id)
            text.withRequest { request in
                request.time = Int64(index)
                request.setID(id)
                request.status = row.status
                request.byteCount = row.bytes
                request.operation = row.operation
                batch.take(request)
            }
        }
        var totals = LogTotals()
        var recent = RecentRequests()
        try batch.take(to: &totals, recent: &recent)
        return totals
    }

    @Test func `requests add up, those that are named twice once`() throws {
        let totals = try Self.totals([
            ("a", 200, 10, .download), ("b", 304, 0, .download), ("a", 200, 10, .download), ("", 200, 5, .download),
            ("", 200, 5, .download), ("c", 404, 100, .download), ("d", 200, nil, .list), ("e", 204, 0, .delete),
            ("f", 200, 7, .other),
        ])
        #expect(totals.total == (8, 127))
        #expect(totals.figures.duplicateCount == 1)
        #expect(totals.figures.sizelessCount == 1)
        #expect(totals.figures.times == 0...8)
        // A 304 is billed as an operation, a 404 is not, nor are its bytes.
        #expect(totals.figures.billed == BilledUsage(egressBytes: 20, classA: 1, classB: 4))
        #expect(totals.byStatus.map(\.status) == [200, 204, 304, 404])
        #expect(
            totals.byOperation.map(\.operation) == [
                "storage.objects.get", "storage.objects.list", "storage.objects.delete", "other",
            ]
        )
    }
}
