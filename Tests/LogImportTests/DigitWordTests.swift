// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LogImport

struct DigitWordTests {
    @Test(
        arguments: [
            ("0", 0), ("7", 7), ("200", 200), ("12345678", 12_345_678), ("123456789", 123_456_789),
            ("1790000000056444", 1_790_000_000_056_444), ("999999999999999999", 999_999_999_999_999_999),
            ("00012", 12), ("", nil), ("1x", nil), ("-1", nil), (" 1", nil), ("1.5", nil), ("1234567890123456789", nil),
            ("/", nil), (":", nil), ("12345678:", nil), ("x2345678", nil),
        ] as [(String, Int64?)]
    )
    func `a field of digits is a number, wherever it stands`(_ digits: String, _ number: Int64?) {
        for prefix in ["", "\"", "a long beginning 99\""] {
            let bytes = Array((prefix + digits + "\",\"5").utf8)
            let field = prefix.utf8.count..<prefix.utf8.count + digits.utf8.count
            bytes.withUnsafeBytes { #expect(DigitWord.number(in: $0, at: field) == number, "\(prefix)\(digits)") }
        }
    }
}
