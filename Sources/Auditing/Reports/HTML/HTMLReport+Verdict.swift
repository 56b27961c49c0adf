// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension HTMLReport {
    /// The answers for a reader in a hurry: the best combination, the bill, and whether the budget is kept.
    var tiles: HTML {
        let tiles = [bestTile, priceTile, budgetTile, wasteTile, quotaTile].compactMap(\.self)
        let html = tiles.map { tile -> HTML in
            "<div class=\"tile\"><b>\(tile.figure)</b><span>\(tile.note)</span></div>"
        }
        return "<div class=\"tiles\">\(HTML.join(html, separator: ""))</div>"
    }

    private typealias Tile = (figure: HTML, note: HTML)

    private var bestTile: Tile? {
        guard let baseline = report.baseline else { return nil }
        let bytes = Figure.amount(baseline.usage.sent.body)
        guard let best = report.best else {
            return ("\(bytes)", "downloaded by \(HTML.breakable(baseline.strategy.name))")
        }
        return (
            "\(ReplayReport.saving(best.ratioToBaseline))",
            """
            than \(HTML.breakable(baseline.strategy.name)), with the best combination: \(HTML.breakable(best.strategy)), \
            \(Figure.amount(best.bytes)) instead of \(bytes)
            """
        )
    }

    /// A month's price of the first strategy, and of the one that downloads least.
    private var priceTile: Tile? {
        guard let (first, best) = report.extremes else { return nil }
        let prices = [first, best].map { report.forecast($0) }
        guard prices.allSatisfy(\.hasPrices) else { return nil }
        let users = "a month with \(Figure.count(report.dailyUserCount)) daily users"
        let (before, after) = (dollars(of: first), dollars(of: best))
        guard first.strategy != best.strategy else {
            return ("\(before)", "\(users), with \(HTML.breakable(first.strategy.name))")
        }
        return (
            "\(before) \u{2192} \(after)",
            "\(users): \(HTML.breakable(first.strategy.name)) \u{2192} \(HTML.breakable(best.strategy.name))"
        )
    }

    private func dollars(of outcome: StrategyOutcome) -> String {
        Figure.dollars(Bill.cents(report.forecast(outcome).usdPerMonth))
    }

    private var budgetTile: Tile? {
        guard let budget = report.budget else { return nil }
        let kept = budget.verdicts.count - budget.breaches.count
        return (
            .verdict(budget.breaches.isEmpty ? "kept" : "broken", isGood: budget.breaches.isEmpty),
            "budget: \(kept) of \(Figure.counted(Int64(budget.verdicts.count), noun: "bound")) kept"
        )
    }

    private var wasteTile: Tile? {
        guard let examined = report.examined, let causes = examined.causes, causes.byteCount > 0 else {
            return nil
        }
        let share = 100 * Double(causes.wastedByteCount) / Double(causes.byteCount)
        return ("\(Figure.percent(share))", "of the bytes of \(HTML.breakable(examined.subject)) are avoidable")
    }

    private var quotaTile: Tile? {
        guard let first = report.baseline, let share = report.downloadPercent(first),
            let free = report.freeDownloadsPerDay
        else { return nil }
        let users = Figure.counted(Int64(report.clientCount), noun: "user")
        return ("\(Figure.percent(share))", "of the \(free) that are free each day, for the log's \(users)")
    }
}
