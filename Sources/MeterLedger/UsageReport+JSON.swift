// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension UsageReport {
    /// The report in JSON, its keys in a fixed order: the same report gives the same bytes.
    package var json: String {
        guard let breakdown else { return "{\(total.jsonMembers)}" }
        let groups = breakdown.groups.map { "{\"key\":\(JSONText.quote($0.key)),\($0.totals.jsonMembers)}" }
        return "{\"by\":\(JSONText.quote(breakdown.dimension.rawValue)),\"total\":{\(total.jsonMembers)},"
            + "\"groups\":[\(groups.joined(separator: ","))]}"
    }
}

extension UsageTotals {
    fileprivate var jsonMembers: String {
        "\"requests\":\(requests),\"bytes\":{\(jsonBytes)},\"billed\":{\(billed.jsonMembers)}"
    }

    // "received" and "sent" are what the socket moved; "bodySent" is the part of it that is content.
    private var jsonBytes: String {
        "\"received\":\(received.wire),\"sent\":\(sent.wire),\"bodySent\":\(sent.body)"
    }
}

extension BilledUsage {
    fileprivate var jsonMembers: String {
        "\"egressBytes\":\(egressBytes),\"classA\":\(classA),\"classB\":\(classB),"
            + "\"documentReads\":\(documentReads),\"documentWrites\":\(documentWrites),"
            + "\"documentDeletes\":\(documentDeletes)"
    }
}
