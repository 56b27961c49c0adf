// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import MeterLedger
import Metering
import Testing

@Suite struct UsageReportTests {
    private func record(object: String?, sent: Int64, reads: Int64) -> UsageRecord {
        var attribution = UsageAttribution(service: .storage, operation: "storage.objects.get")
        attribution.object = object
        return UsageRecord(
            startMicroseconds: 0,
            durationMicroseconds: 1,
            method: "GET",
            status: 200,
            outcome: .complete,
            attribution: attribution,
            received: TransferredBytes(header: 100, body: 0, wire: 100),
            sent: TransferredBytes(header: 50, body: sent, wire: sent + 50),
            billed: BilledUsage(egressBytes: sent, classB: 1, documentReads: reads)
        )
    }

    private func ledger() throws -> UsageLedger {
        let ledger = try UsageLedger(storage: .memory)
        ledger.record(record(object: "b\"\\\u{1}\n\u{e9}", sent: 10, reads: 0))
        ledger.record(record(object: "a/b/0", sent: 10, reads: 0))
        ledger.record(record(object: nil, sent: 1_000, reads: 3))
        return ledger
    }

    private static let total = #"""
        "requests":3,"bytes":{"received":300,"sent":1170,"bodySent":1020},"billed":{"egressBytes":1020,"classA":0,\#
        "classB":3,"documentReads":3,"documentWrites":0,"documentDeletes":0,"ruleReads":0,\#
        \#(users)}
        """#
    private static let users = #""tier1ActiveUsers":0,"tier2ActiveUsers":0,"smsMessages":0"#

    @Test func `writes the total`() throws {
        #expect(try ledger().report().json == "{\(Self.total)}")
    }

    @Test func `writes groups in the order of what they sent`() throws {
        let small = #"""
            "requests":1,"bytes":{"received":100,"sent":60,"bodySent":10},"billed":{"egressBytes":10,"classA":0,\#
            "classB":1,"documentReads":0,"documentWrites":0,"documentDeletes":0,"ruleReads":0,\#
            \#(Self.users)}
            """#
        let expected = #"""
            {"by":"object","total":{\#(Self.total)},"groups":[{"key":"","requests":1,"bytes":{"received":100,\#
            "sent":1050,"bodySent":1000},"billed":{"egressBytes":1000,"classA":0,"classB":1,"documentReads":3,\#
            "documentWrites":0,"documentDeletes":0,"ruleReads":0,\#(Self.users)}},{"key":"a/b/0",\#(small)},\#
            {"key":"b\"\\\u0001\n\u{e9}",\#(small)}]}
            """#
            .replacing(#"\u{e9}"#, with: "\u{e9}")
        #expect(try ledger().report(UsageQuestion(grouping: .init(by: .object))).json == expected)
    }

    @Test func `writes no groups of no records`() throws {
        let ledger = try UsageLedger(storage: .memory)
        let report = try ledger.report(UsageQuestion(grouping: .init(by: .feed)))
        #expect(report == UsageReport(total: .zero, breakdown: UsageReport.Breakdown(by: .feed, groups: [])))
        #expect(report.json.hasSuffix(#","groups":[]}"#))
    }
}
