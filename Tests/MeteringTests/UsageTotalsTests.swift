// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import Testing

struct UsageTotalsTests {
    /// A record whose figures are all different, and different for each seed.
    private func record(_ seed: Int64) -> UsageRecord {
        UsageRecord(
            startMicroseconds: 0,
            durationMicroseconds: 0,
            method: "GET",
            status: 200,
            outcome: .complete,
            attribution: UsageAttribution(service: .storage, operation: "storage.objects.get"),
            received: TransferredBytes(header: seed + 1, body: seed + 2, wire: 2 * seed + 3),
            sent: TransferredBytes(header: seed + 4, body: seed + 5, wire: 2 * seed + 9),
            billed: BilledUsage(
                egressBytes: seed + 6,
                classA: seed + 7,
                classB: seed + 8,
                documentReads: seed + 9,
                documentWrites: seed + 10,
                documentDeletes: seed + 11,
                ruleReads: seed + 12,
                tier1ActiveUsers: seed + 13,
                tier2ActiveUsers: seed + 14,
                smsMessages: seed + 15
            )
        )
    }

    @Test func `adds every figure of every record`() {
        var totals = UsageTotals.zero
        totals.add(record(100))
        totals.add(record(1_000))
        #expect(totals.requests == 2)
        #expect(totals.received == TransferredBytes(header: 1_102, body: 1_104, wire: 2_206))
        #expect(totals.sent == TransferredBytes(header: 1_108, body: 1_110, wire: 2_218))
        let billed = BilledUsage(
            egressBytes: 1_112,
            classA: 1_114,
            classB: 1_116,
            documentReads: 1_118,
            documentWrites: 1_120,
            documentDeletes: 1_122,
            ruleReads: 1_124,
            tier1ActiveUsers: 1_126,
            tier2ActiveUsers: 1_128,
            smsMessages: 1_130
        )
        #expect(totals.billed == billed)
    }

    @Test func `the parts of any split add up to the whole`() {
        let records = (0..<20).map { record($0 * $0) }
        let whole = records.reduce(into: UsageTotals.zero) { $0.add($1) }
        for split in 0...records.count {
            var parts = records[..<split].reduce(into: UsageTotals.zero) { $0.add($1) }
            for record in records[split...] { parts.add(record) }
            #expect(parts == whole)
        }
        #expect(whole.sent.wire == whole.sent.header + whole.sent.body)
    }

    @Test func `nothing adds nothing`() {
        #expect(TransferredBytes.zero + .zero == .zero)
        #expect(BilledUsage.zero + BilledUsage(classB: 1) == BilledUsage(classB: 1))
    }
}
