// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering

/// A figure of a sum, by which groups can be ordered.
///
/// The raw value is where it stands in a report.
package enum UsageFigure: String, CaseIterable, Sendable {
    case requests = "requests"
    case received = "bytes.received"
    case sent = "bytes.sent"
    case bodySent = "bytes.bodySent"
    case egressBytes = "billed.egressBytes"
    case classA = "billed.classA"
    case classB = "billed.classB"
    case documentReads = "billed.documentReads"
    case documentWrites = "billed.documentWrites"
    case documentDeletes = "billed.documentDeletes"
    case ruleReads = "billed.ruleReads"
    case tier1ActiveUsers = "billed.tier1ActiveUsers"
    case tier2ActiveUsers = "billed.tier2ActiveUsers"
    case smsMessages = "billed.smsMessages"

    /// Its value in a sum.
    package func value(_ totals: UsageTotals) -> Int64 {
        switch self {
        case .requests: totals.requests
        case .received: totals.received.wire
        case .sent: totals.sent.wire
        case .bodySent: totals.sent.body
        case .egressBytes: totals.billed.egressBytes
        case .classA: totals.billed.classA
        case .classB: totals.billed.classB
        case .documentReads: totals.billed.documentReads
        case .documentWrites: totals.billed.documentWrites
        case .documentDeletes: totals.billed.documentDeletes
        case .ruleReads: totals.billed.ruleReads
        case .tier1ActiveUsers: totals.billed.tier1ActiveUsers
        case .tier2ActiveUsers: totals.billed.tier2ActiveUsers
        case .smsMessages: totals.billed.smsMessages
        }
    }

    /// The column that holds it.
    var column: String {
        switch self {
        case .requests: "requestCount"
        case .received: "receivedWire"
        case .sent: "sentWire"
        case .bodySent: "sentBody"
        case .egressBytes: "egressBytes"
        case .classA: "classA"
        case .classB: "classB"
        case .documentReads: "documentReads"
        case .documentWrites: "documentWrites"
        case .documentDeletes: "documentDeletes"
        case .ruleReads: "ruleReads"
        case .tier1ActiveUsers: "tier1ActiveUsers"
        case .tier2ActiveUsers: "tier2ActiveUsers"
        case .smsMessages: "smsMessages"
        }
    }
}
