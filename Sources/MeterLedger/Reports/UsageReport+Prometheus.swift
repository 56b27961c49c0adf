// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension UsageReport {
    /// The groups in the text format of Prometheus, version 0.0.4: a counter for each figure, one line for each group.
    ///
    /// The label is the dimension. A report without groups is written as one without labels.
    package var prometheus: String {
        UsageFigure.allCases.map { figure in
            let name = figure.prometheusName
            let lines = samples(of: figure).map { labels, value in "\(name)\(labels) \(value)\n" }
            return "# HELP \(name) \(figure.prometheusHelp)\n# TYPE \(name) counter\n" + lines.joined()
        }
        .joined()
    }

    private func samples(of figure: UsageFigure) -> [(labels: String, value: Int64)] {
        guard let breakdown else { return [("", figure.value(total))] }
        return breakdown.groups.map { group in
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
        case .requests: "firemeter_requests_total"
        case .received: "firemeter_received_bytes_total"
        case .sent: "firemeter_sent_bytes_total"
        case .bodySent: "firemeter_body_sent_bytes_total"
        case .egressBytes: "firemeter_billed_egress_bytes_total"
        case .classA: "firemeter_billed_class_a_operations_total"
        case .classB: "firemeter_billed_class_b_operations_total"
        case .documentReads: "firemeter_billed_document_reads_total"
        case .documentWrites: "firemeter_billed_document_writes_total"
        case .documentDeletes: "firemeter_billed_document_deletes_total"
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
        }
    }
}
