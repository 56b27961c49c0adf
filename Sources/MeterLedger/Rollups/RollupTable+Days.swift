// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

extension RollupTable {
    private static let minutesOfDay: Int64 = 24 * 60

    /// Sums up the minutes of one day that is long past, if there is such a day; returns whether there was.
    ///
    /// So many minutes, back from the latest, are kept as they are.
    func sumUpDay(keepingMinutes minuteCount: Int64) throws -> Bool {
        let bounds = "SELECT min(minute) FILTER (WHERE NOT isDay) AS oldest, max(minute) AS latest FROM period"
        guard let row = try Row.fetchOne(database, sql: bounds), let oldest = row["oldest"] as Int64?,
            let latest = row["latest"] as Int64?
        else { return false }
        let start = oldest - oldest % Self.minutesOfDay
        guard start + Self.minutesOfDay <= latest - minuteCount else { return false }
        try sumUp(from: start, to: start + Self.minutesOfDay)
        return true
    }

    private func sumUp(from start: Int64, to end: Int64) throws {
        let minutes = "SELECT id FROM period WHERE minute >= \(start) AND minute < \(end) AND NOT isDay"
        guard let day = try Int64.fetchOne(database, sql: "SELECT max(id) FROM (\(minutes))") else { return }
        let dimensions = RollupDimension.allCases.map { String($0.rawValue) }.joined(separator: ", ")
        let rows = "dimension IN (\(dimensions)) AND period IN (\(minutes))"
        // Under the period's negative, as long as the minute of the same number is there.
        try database.execute(
            sql: """
                INSERT INTO rollup (dimension, period, key, tag, \(TotalsColumns.list))
                    SELECT dimension, \(-day), key, tag, \(TotalsColumns.sums) FROM rollup WHERE \(rows)
                    GROUP BY dimension, key, tag;
                DELETE FROM rollup WHERE \(rows);
                UPDATE rollup SET period = \(day) WHERE dimension IN (\(dimensions)) AND period = \(-day);
                DELETE FROM period WHERE id IN (\(minutes)) AND id <> \(day);
                UPDATE period SET minute = \(start), isDay = 1 WHERE id = \(day);
                UPDATE progress SET coarsePeriod = max(coarsePeriod, \(day));
                """
        )
    }
}
