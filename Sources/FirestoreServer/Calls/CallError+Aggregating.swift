// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Where the official emulator 1.19.9 has a text, it is the text (measured 2026-11).
extension CallError {
    static let aggregationMissing = invalid("Aggregations can not be empty.")

    static func aliasRepeated(_ alias: String) -> Self {
        invalid("Aggregation aliases contain duplicate alias: \(alias).")
    }

    static func aggregationCount(_ count: Int) -> Self {
        invalid("A request has at most \(AggregationFold.aggregationCountMax) aggregations, not \(count).")
    }

    static let aggregationUnknown = invalid("An Aggregation has no operator; set one of count, sum or avg.")

    static let upToNotPositive = invalid("Count.up_to must be greater than zero.")
}
