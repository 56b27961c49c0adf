// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension UsageReport {
    /// The groups in the text format of Prometheus, version 0.0.4: a gauge for each figure, one line for each group.
    ///
    /// No counters, as an answer that is taken back makes them fall. The label is the dimension; groups that are left out
    /// are one. A report without groups is written as one without labels.
    package var prometheus: String {
        UsageFigure.allCases.map { figure in
            let name = figure.prometheusName
            let lines = samples(of: figure).map { labels, value in "\(name)\(labels) \(value)\n" }
            return "# HELP \(name) \(figure.prometheusHelp)\n# TYPE \(name) gauge\n" + lines.joined()
        }
        .joined()
    }

    private func samples(of figure: UsageFigure) -> [(labels: String, value: Int64)] {
        guard let breakdown else { return [("", figure.value(total))] }
        let others = breakdown.others.map { [UsageGroup(key: "(others)", totals: $0)] } ?? []
        return (breakdown.groups + others).map { group in
            ("{\(breakdown.dimension.rawValue)=\"\(Self.escaped(group.key))\"}", figure.value(group.totals))
        }
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

extension UsageFigure {
    fileprivate var prometheusName: String {
        switch self {
        case .requests: "firemeter_requests"
        case .received: "firemeter_received_bytes"
        case .sent: "firemeter_sent_bytes"
        case .bodySent: "firemeter_body_sent_bytes"
        case .egressBytes: "firemeter_billed_egress_bytes"
        case .classA: "firemeter_billed_class_a_operations"
        case .classB: "firemeter_billed_class_b_operations"
        case .documentReads: "firemeter_billed_document_reads"
        case .documentWrites: "firemeter_billed_document_writes"
        case .documentDeletes: "firemeter_billed_document_deletes"
        case .ruleReads: "firemeter_billed_rule_reads"
        case .tier1ActiveUsers: "firemeter_billed_tier1_active_users"
        case .tier2ActiveUsers: "firemeter_billed_tier2_active_users"
        case .smsMessages: "firemeter_billed_sms_messages"
        }
    }

    fileprivate var prometheusHelp: String {
        switch self {
        case .requests: "Requests that have ended, or whose first part is recorded."
        case .received: "Bytes that sockets received."
        case .sent: "Bytes that sockets sent."
        case .bodySent: "Bytes of bodies that were sent."
        case .egressBytes: "Bytes billed as transfer out of the service."
        case .classA: "Cloud Storage operations billed as class A."
        case .classB: "Cloud Storage operations billed as class B."
        case .documentReads: "Firestore document reads billed."
        case .documentWrites: "Firestore document writes billed."
        case .documentDeletes: "Firestore document deletes billed."
        case .ruleReads: "Firestore document reads billed that Security Rules made."
        case .tier1ActiveUsers: "Users billed who signed in by e-mail, phone, a social provider, or anonymously."
        case .tier2ActiveUsers: "Users billed who signed in by OpenID Connect or SAML."
        case .smsMessages: "Messages billed that Authentication sent to phones."
        }
    }
}
