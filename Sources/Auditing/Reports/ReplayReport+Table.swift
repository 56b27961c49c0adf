// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metering
import SessionLog

extension ReplayReport {
    /// The report as a table for people.
    package var table: String {
        let quota = dailyQuota.map { ["\($0)/day"] } ?? []
        let heading = ["strategy", "requests", "body", "wire", "operations", "doc reads", "cache hits"] + quota
        var table = TextTable(heading: heading + ["bytes saved"])
        for (index, outcome) in outcomes.enumerated() { table.add(row(outcome, isBaseline: index == 0)) }
        return """
            \(log): \(viewCount) views of \(clientCount) users\(inferred)

            \(table.rendered)

            body, wire   bytes that the meter saw leave, and on the sockets in both directions
            operations   Cloud Storage operations, Class A and B
            \(quotaNote)\(findingsText)\(costTable)\(times)\(decisionsText)
            """
    }

    /// What an inferred log is worth; empty for one that was recorded.
    private var inferred: String {
        guard let imported else { return "" }
        let truth =
            "\(Figure.counted(imported.downloadCount, "download")) of images, \(Figure.bytes(imported.byteCount))"
        return ", inferred; the log itself: \(truth)\n" + imported.assumptions.map { "  assumed: \($0)\n" }.joined()
            + "  every figure below is inferred, and documents are not in it"
    }

    /// The downloads that are free each day, such as `1 GB`; `nil` where none are.
    private var dailyQuota: String? {
        profile.freePerDay(.storageEgressBytes).map(Figure.size)
    }

    private var quotaNote: String {
        guard let dailyQuota else { return "" }
        let name = "\(dailyQuota)/day".padding(toLength: 13, withPad: " ", startingAt: 0)
        return "\(name)share of the free downloads of one day, profile \(profile.name) as of \(profile.asOf)\n"
    }

    /// How long the users waited; empty where nothing was simulated.
    private var times: String {
        guard outcomes.contains(where: { $0.simulated != nil }) else { return "" }
        let figures: [(String, KeyPath<ViewTimes, TimeHistogram>)] = [
            ("layout", \.layout), ("first image", \.firstImage), ("complete", \.complete),
        ]
        var table = TextTable(heading: ["strategy"] + figures.flatMap { ["\($0.0) p50", "p95"] })
        for outcome in outcomes {
            let times = outcome.simulated?.allTimes
            let cells = figures.flatMap { figure in
                [50, 95].map { percent in
                    times?[keyPath: figure.1].milliseconds(atPercent: percent).map(Figure.milliseconds) ?? "-"
                }
            }
            table.add([outcome.strategy.name] + cells)
        }
        return """

            \(table.rendered)

            times        of a view on \(networkTitle), modelled, not measured;
                         the median, and what 95 % of the views do not exceed

            """
    }

    private func row(_ outcome: StrategyOutcome, isBaseline: Bool) -> [String] {
        let usage = outcome.usage
        let images = outcome.counts.cacheHits + outcome.counts.cacheMisses
        return [
            outcome.strategy.name,
            Figure.count(usage.requests),
            Figure.megabytes(usage.sent.body),
            Figure.megabytes(outcome.wireBytes),
            Figure.count(usage.billed.classA + usage.billed.classB),
            Figure.count(usage.billed.documentReads),
            "\(Figure.count(outcome.counts.cacheHits)) of \(Figure.count(images))",
        ] + (downloadPercent(outcome).map { [Figure.percent($0)] } ?? []) + [
            isBaseline ? "baseline" : saving(outcome)
        ]
    }

    private func saving(_ outcome: StrategyOutcome) -> String {
        ratioToBaseline(outcome).map(Self.saving) ?? "-"
    }

    /// A share of the bytes as people read it.
    static func saving(_ ratio: Double) -> String {
        if ratio == 0 { return "all" }
        if ratio == 1 { return "none" }
        return ratio > 1 ? Figure.decimal(ratio) + "x more" : Figure.decimal(1 / ratio) + "x less"
    }
}
