// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import TestSupport
import Testing

@testable import FirestoreModel

struct ExactDecimalTests {
    @Test(
        arguments: [
            (0, ""), (0.5, "5e-1"), (-0.1, "-1000000000000000055511151231257827021181583404541015625e-55"),
            (0x1p60, "1152921504606846976e0"), (1e22, "1e22"), (0x1p-30, "931322574615478515625e-30"),
        ] as [(Double, String)]
    )
    func `writes a double without rounding`(number: Double, text: String) {
        let decimal = ExactDecimal(number)
        let digits = String(decoding: decimal.digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
        #expect((decimal.isZero ? "" : "\(decimal.isNegative ? "-" : "")\(digits)e\(decimal.exponent)") == text)
    }

    @Test func `finds its way back to the double`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let number = Double(bitPattern: generator.next())
            guard number.isFinite else { continue }
            #expect(ExactDecimal(number).nearestDouble == number)
        }
    }

    @Test(
        arguments: [
            ("1", "1", "0"), ("1", "0.999", "0.001"), ("0.1", "-0.2", "0.3"), ("-5", "7", "-12"), ("999", "-1", "1000"),
            ("1e20", "1", "99999999999999999999"), ("1", "1e20", "-99999999999999999999"), ("0", "3", "-3"),
        ]
    )
    func `subtracts`(left: String, right: String, difference: String) throws {
        let decimals = try [left, right, difference].map { text in
            let isNegative = text.hasPrefix("-")
            return try #require(
                ExactDecimal(parsing: isNegative ? String(text.dropFirst()) : text, isNegative: isNegative)
            )
        }
        #expect(decimals[0] - decimals[1] == decimals[2])
    }
}
