// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LogImport
import Metering
import SessionLog

extension ReplayReport {
    /// The report as JSON of schema `firemeter.report/1`, its keys sorted: the same report gives the same bytes.
    package func json() throws -> String { try JSONReport.text(of: ReportJSON(self)) }
}

private struct ReportJSON: Encodable {
    struct Profile: Encodable {
        let name: String
        let asOf: String
    }

    /// The inference: its data and its assumptions.
    struct Inferred: Encodable {
        let downloads: Int64
        let bytes: Int64
        let assumptions: [String]
        let explained: SessionHeader.Imported.Explained?
    }

    struct Net: Encodable {
        let name: String
        let title: String
        let source: String
    }

    let schema = ReplayReport.schema
    let log: String
    let clients: Int
    let views: Int
    let profile: Profile
    let network: Net?
    let inferred: Inferred?
    let best: ReplayReport.Best?
    let strategies: [StrategyJSON]
    let comparison: ComparisonJSON?
    let budget: BudgetJSON?

    init(_ report: ReplayReport) {
        log = report.log
        clients = report.clientCount
        views = report.viewCount
        profile = Profile(name: report.profile.name, asOf: report.profile.asOf)
        let network = Net(name: report.network.name, title: report.network.title, source: report.network.source)
        self.network = report.outcomes.contains { $0.simulated != nil } ? network : nil
        inferred = report.imported.map {
            Inferred(
                downloads: $0.downloadCount,
                bytes: $0.byteCount,
                assumptions: $0.assumptions,
                explained: $0.explained
            )
        }
        best = report.best
        comparison = report.comparison.map(ComparisonJSON.init)
        budget = report.budget.map(BudgetJSON.init)
        strategies = report.outcomes.map { StrategyJSON($0, in: report) }
    }
}

/// A strategy's figures at their paths, and the texts that go with some.
private struct StrategyJSON: Encodable {
    private var root = JSONNode.object([:])

    init(_ outcome: StrategyOutcome, in report: ReplayReport) {
        root.set(["name"], to: outcome.strategy.name)
        root.open(["quota", "items"])
        for quota in report.forecast(outcome).quotas {
            root.set(["quota", "items", quota.item.rawValue, "period"], to: quota.period.rawValue)
        }
        if let simulated = outcome.simulated {
            root.open(["time"])
            root.open(["views"])
            for kind in simulated.views.keys { root.open(["views", kind.rawValue, "time"]) }
        }
        if outcome.causes != nil {
            root.set(["screens"], to: ScreenJSON.all(of: outcome))
            root.set(["findings"], to: outcome.findings.map { FindingJSON($0, in: outcome) })
        }
        if let reads = outcome.reads {
            root.set(["reads", "queries"], to: reads.queries.map { QueryJSON($0, in: report) })
            root.set(["reads", "remedy"], to: outcome.readRemedy.map(QueryJSON.Remedy.init))
        }
        if let remedy = outcome.remedyOfAll { root.set(["remedyOfAll", "strategy"], to: remedy.strategy) }
        for column in ReportColumn.all {
            if let number = column.value(outcome, report) { root.set(column.path, to: number) }
        }
    }

    func encode(to encoder: any Encoder) throws { try root.encode(to: encoder) }
}

/// JSON that is put together value by value.
private indirect enum JSONNode: Encodable {
    case object([String: JSONNode])
    case value(any Encodable)

    /// Puts a value at a path; objects on the way are made.
    mutating func set(_ path: [String], to value: any Encodable) {
        self[path[...]] = .value(value)
    }

    /// Makes sure that there is an object at a path.
    mutating func open(_ path: [String]) {
        if self[path[...]] == nil { self[path[...]] = .object([:]) }
    }

    private subscript(path: ArraySlice<String>) -> JSONNode? {
        get {
            guard let key = path.first else { return self }
            guard case .object(let members) = self else { return nil }
            return members[key]?[path.dropFirst()]
        }
        set {
            guard let key = path.first else {
                self = newValue ?? .object([:])
                return
            }
            var members: [String: JSONNode] = [:]
            if case .object(let known) = self { members = known }
            var member = members[key] ?? .object([:])
            member[path.dropFirst()] = newValue
            members[key] = member
            self = .object(members)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let members): try container.encode(members)
        case .value(let value): try container.encode(value)
        }
    }
}

/// Reports as JSON: the same report gives the same bytes.
enum JSONReport {
    /// The JSON with its keys sorted, and a line break at its end.
    static func text(of report: some Encodable) throws -> String { try text(of: report, .prettyPrinted) }

    /// The JSON with its keys sorted, in one line.
    static func line(of report: some Encodable) throws -> String { try text(of: report, []) }

    private static func text(of report: some Encodable, _ formatting: JSONEncoder.OutputFormatting) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: try encoder.encode(report), as: UTF8.self) + "\n"
    }
}
