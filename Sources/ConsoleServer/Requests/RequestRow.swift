// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Metering

/// A metered request, as those who watch are shown it; docs/console.md has its members.
struct RequestRow {
    let number: Int64
    let record: UsageRecord
    /// US dollars, were all of it beyond what is free.
    let usd: Double

    /// Writes the members that have a value.
    func write(to bytes: inout [UInt8]) {
        var writer = MemberWriter(to: &bytes)
        let content = record.content
        writer.add("number", number)
        writer.add("at", record.startMicroseconds)
        writer.add("durationMicroseconds", record.durationMicroseconds)
        writer.add("service", content.attribution.service.rawValue)
        writer.add("operation", content.attribution.operation)
        writer.add("method", content.method.isEmpty ? nil : content.method)
        writer.add("target", record.notes.target)
        writer.add("status", Int64(content.status))
        writer.add("outcome", content.outcome.rawValue)
        writer.add("abortCause", content.abortCause?.rawValue)
        Self.add(content.attribution, to: &writer)
        writer.add("received", content.received.wire)
        writer.add("sent", content.sent.wire)
        writer.add("receivedBody", content.received.body)
        writer.add("sentBody", content.sent.body)
        writer.add("requests", content.requestCount)
        Self.add(content.billed, to: &writer)
        if usd != 0 { writer.add("usd", usd) }
        writer.add("rule", record.notes.rule)
        writer.end(into: &bytes)
    }

    private static func add(_ attribution: UsageAttribution, to writer: inout MemberWriter) {
        writer.add("bucket", attribution.bucket)
        writer.add("object", attribution.object)
        writer.add("database", attribution.database)
        writer.add("collection", attribution.collection)
        writer.add("query", attribution.queryShape)
        writer.add("user", attribution.user)
        writer.add("tag", attribution.tag)
        writer.add("client", attribution.client)
    }

    private static func add(_ billed: BilledUsage, to writer: inout MemberWriter) {
        guard billed != .zero else { return }
        writer.open("billed")
        for (name, amount) in [
            ("egressBytes", billed.egressBytes), ("classA", billed.classA), ("classB", billed.classB),
            ("documentReads", billed.documentReads), ("documentWrites", billed.documentWrites),
            ("documentDeletes", billed.documentDeletes), ("ruleReads", billed.ruleReads),
            ("tier1ActiveUsers", billed.tier1ActiveUsers), ("tier2ActiveUsers", billed.tier2ActiveUsers),
            ("smsMessages", billed.smsMessages),
        ] as [(StaticString, Int64)] where amount != 0 {
            writer.add(name, amount)
        }
        writer.close()
    }
}

extension RequestLog.Page {
    /// The page as JSON.
    func json(pricedBy prices: UnitPrices) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128 + rows.count * 512)
        bytes.append(contentsOf: #"{"requests":["#.utf8)
        for (index, row) in rows.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            RequestRow(number: row.number, record: row.record, usd: prices.usd(of: row.record)).write(to: &bytes)
        }
        bytes.append(contentsOf: #"],"next":\#(next),"dropped":\#(droppedCount)}"#.utf8)
        return bytes
    }
}
