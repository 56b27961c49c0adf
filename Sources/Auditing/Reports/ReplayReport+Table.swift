// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension ReplayReport {
    /// The report as a table for people.
    package var table: String {
        var table = TextTable(heading: [
            "strategy", "requests", "body", "wire", "operations", "doc reads", "cache hits", "1 GB/day", "bytes saved",
        ])
        for (index, outcome) in outcomes.enumerated() { table.add(row(outcome, isBaseline: index == 0)) }
        return """
            \(log): \(viewCount) views of \(clientCount) users

            \(table.rendered)

            body, wire   bytes that the meter saw leave, and on the sockets in both directions
            operations   Cloud Storage operations, Class A and B
            1 GB/day     share of the free downloads of one day, profile \(profile.name) as of \(profile.asOf)

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
            Figure.percent(profile.downloadPercent(of: usage.sent.body) ?? 0),
            isBaseline ? "baseline" : saving(outcome),
        ]
    }

    private func saving(_ outcome: StrategyOutcome) -> String {
        guard let ratio = ratioToBaseline(outcome) else { return "-" }
        if ratio == 0 { return "all" }
        if ratio == 1 { return "none" }
        return ratio > 1 ? Figure.decimal(ratio) + "x more" : Figure.decimal(1 / ratio) + "x less"
    }
}
