// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metering
import SessionLog

extension ReplayReport {
    /// The report as a table for people.
    package var table: String {
        let columns: [ReportColumn] = [
            .requests, .body, .wire, .operations, .documentReads, .hits, .dailyQuota, .ratioToBaseline,
        ]
        return """
            \(log): \(Figure.counted(Int64(viewCount), noun: "view")) of \(Figure.counted(Int64(clientCount), noun: "user"))\(inferred)\(bestText.map { "\n" + $0 } ?? "")

            \(TextTable(cells(columns)).rendered)

            downloaded   bytes of bodies that the meter saw leave; wire: bytes on the sockets in both directions
            operations   Cloud Storage operations, Class A and B
            \(quotaNote)\(findingsText)\(screensText)\(readsText)\(costTable)\(times)\(decisionsText)
            """
    }

    /// The reliability of inferred views; empty for those that an app wrote down.
    private var inferred: String {
        guard let imported else { return "" }
        let truth =
            "\(Figure.counted(imported.downloadCount, noun: "download")) of images, \(Figure.bytes(imported.byteCount))"
        return ", inferred; the log itself: \(truth)\n"
            + imported.assumptions.map { "  assumed: \($0)\n" }.joined()
            + "  \(imported.reach)"
    }

    private var quotaNote: String {
        guard let free = freeDownloadsPerDay else { return "" }
        let name = "\(free)/day".padding(toLength: 13, withPad: " ", startingAt: 0)
        return "\(name)share of the free downloads of one day, profile \(profile.name) as of \(profile.asOf)\n"
    }

    /// How long the users waited; empty where nothing was simulated.
    private var times: String {
        guard outcomes.contains(where: { $0.simulated != nil }) else { return "" }
        return """

            \(TextTable(cells(ReportColumn.times)).rendered)

            times        of a view on \(networkTitle), modelled, not measured;
                         the median, and what 95 % of the views do not exceed

            """
    }

    /// A share of the bytes as people read it.
    static func saving(_ ratio: Double) -> String {
        if ratio == 0 { return "all" }
        if ratio == 1 { return "none" }
        return ratio > 1 ? Figure.decimal(ratio) + "x more" : Figure.decimal(1 / ratio) + "x less"
    }
}
