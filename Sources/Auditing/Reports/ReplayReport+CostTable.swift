// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metering

extension ReplayReport {
    /// The cost of a month, and the used share of free amounts; empty where the profile knows neither.
    var costTable: String {
        let cells = cells(costColumns)
        guard cells.heading.count > 1 else { return "" }
        let hasPrices = outcomes.contains { forecast($0).hasPrices }
        let priced = hasPrices ? "a month      of 30 days\n" : ""
        return """

            \(TextTable(cells).rendered)

            for \(Figure.count(dailyUserCount)) daily users who do as the log's, profile \(profile.name) as of \(profile.asOf)
            \(priced)shares       of what is free by the day, or the month and the day of it on which it runs out

            """
    }
}
