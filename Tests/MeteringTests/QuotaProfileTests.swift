// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import Testing

struct QuotaProfileTests {
    @Test(
        arguments: [(0, 0.0), (10_000_000, 1.0), (1_000_000_000, 100.0), (2_500_000_000, 250.0)] as [(Int64, Double)]
    )
    func `the famous free gigabyte is decimal`(_ byteCount: Int64, _ percent: Double) {
        #expect(QuotaProfile.spark2023.downloadPercent(of: byteCount) == percent)
    }

    @Test func `is dated`() {
        #expect(QuotaProfile.spark2023.name == "spark-2023")
        #expect(QuotaProfile.spark2023.asOf == "2026-02-03")
    }
}
