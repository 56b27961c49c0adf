// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Auditing

struct ThresholdTests {
    @Test(
        arguments: [
            ("<50MB", .bytes, .below, .number(50_000_000)),
            ("<= 1000", .bytes, .atMost, .number(1_000)),
            (">=2", .count, .atLeast, .number(2)),
            ("<1.5s", .milliseconds, .below, .number(1_500)),
            ("<800ms", .milliseconds, .below, .number(800)),
            ("<5%", .percent, .below, .number(5)),
            ("<$12.50", .dollars, .below, .number(12.5)),
            (">0.75", .ratio, .above, .number(0.75)),
            ("<0.2x baseline", .bytes, .below, .timesBaseline(0.2)),
            ("<=1x former", .count, .atMost, .timesFormer(1)),
        ] as [(String, ReportColumn.Unit, Threshold.Comparison, Threshold.Bound)]
    )
    func `a bound is read in the unit of its figure`(
        _ text: String,
        _ unit: ReportColumn.Unit,
        _ comparison: Threshold.Comparison,
        _ bound: Threshold.Bound
    ) {
        let threshold = Threshold(text, of: unit)
        #expect(threshold?.comparison == comparison)
        #expect(threshold?.bound == bound)
    }

    @Test(
        arguments: [
            ("50MB", .bytes), ("<50MB", .count), ("<800", .milliseconds), ("<", .count), ("<-1", .count),
            ("<1e3", .count),
            ("<5%", .bytes), ("<2x", .bytes), ("<infinity", .ratio), ("=5", .count), ("<1.2.3", .ratio), ("", .count),
        ] as [(String, ReportColumn.Unit)]
    )
    func `what is no bound of the unit is refused`(_ text: String, _ unit: ReportColumn.Unit) {
        #expect(Threshold(text, of: unit) == nil)
    }

    @Test func `every example is a bound`() {
        for unit in [ReportColumn.Unit.bytes, .milliseconds, .percent, .dollars, .count, .ratio] {
            #expect(Threshold(Threshold.example(of: unit), of: unit) != nil)
        }
    }
}
