// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Metering

/// Something that reports must have in common for their differences to be the strategies'.
struct ReportCircumstance: Sendable, Hashable {
    let name: String
    let value: String

    /// Those of a report's JSON.
    static func all(in report: JSONValue) -> [ReportCircumstance] {
        let found: [(String, String?)] = [
            ("log", report["log"]?.string), ("views", report["views"]?.integer.map(String.init)),
            ("users", report["clients"]?.integer.map(String.init)),
            ("profile", report["profile"]?["name"]?.string), ("network", report["network"]?["name"]?.string),
        ]
        return found.compactMap { name, value in value.map { ReportCircumstance(name: name, value: $0) } }
    }
}

extension ReplayReport {
    /// The circumstances of the report.
    var circumstances: [ReportCircumstance] {
        let network = outcomes.contains { $0.simulated != nil } ? [("network", network.name)] : []
        return
            ([
                ("log", log), ("views", String(viewCount)), ("users", String(clientCount)), ("profile", profile.name),
            ] + network).map { ReportCircumstance(name: $0.0, value: $0.1) }
    }
}
