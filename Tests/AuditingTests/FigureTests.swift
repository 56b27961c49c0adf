// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Auditing

struct FigureTests {
    @Test(arguments: [
        (0, "0"), (7, "7"), (999, "999"), (1_000, "1,000"), (12_345, "12,345"), (100_000, "100,000"),
        (1_234_567, "1,234,567"), (Int64.max, "9,223,372,036,854,775,807"),
    ])
    func `groups counts by thousands`(_ number: Int64, _ text: String) {
        #expect(Figure.count(number) == text)
    }

    @Test(arguments: [
        (0, "0.0"), (0.04, "0.0"), (0.05, "0.1"), (0.95, "1.0"), (9.96, "10.0"), (1_234.56, "1,234.6"), (2.25, "2.3"),
    ])
    func `rounds to one decimal`(_ number: Double, _ text: String) {
        #expect(Figure.decimal(number) == text)
    }

    @Test(
        arguments: [
            (157_400_000, nil, "157.4 MB"), (999_949_999, nil, "999.9 MB"), (999_950_000, nil, "1.00 GB"),
            (157_400_000, 1_000_000_000, "0.16 GB"), (948_800_000_000, nil, "948.80 GB"),
        ] as [(Int64, Int64?, String)]
    )
    func `bytes are in gigabytes from 1,000 MB in their column on`(
        _ byteCount: Int64,
        _ largest: Int64?,
        _ text: String
    ) {
        #expect(Figure.bytes(byteCount, largest: largest) == text)
    }

    @Test(
        arguments: [(850, 9_999, "850 ms"), (850, 10_000, "0.9 s"), (12_345, 12_345, "12.3 s")]
            as [(Double, Double, String)]
    )
    func `times are in seconds from ten in their column on`(_ number: Double, _ largest: Double, _ text: String) {
        #expect(Figure.milliseconds(number, largest: largest) == text)
    }

    @Test func `names the units`() {
        #expect(Figure.megabytes(1_234_567_890) == "1,234.6 MB")
        #expect(Figure.percent(94.88) == "94.9 %")
    }
}
