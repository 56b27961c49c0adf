// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Bytes or operations as profiles write them: `1 GB`, `10 TiB`, `50000`.
///
/// GB is 10^9 bytes and GiB 2^30: price lists mix them up, profiles must not.
enum Amount {
    private static let units: [String: Int64] = [
        "B": 1, "KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
        "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
    ]

    /// Returns `nil` for text that is not a positive amount: of bytes with a unit, of operations without one.
    static func parse(_ text: String, isBytes: Bool) -> Int64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == (isBytes ? 2 : 1), let number = Int64(words[0]), number > 0 else { return nil }
        guard isBytes else { return number }
        guard let unit = units[String(words[1])] else { return nil }
        let (amount, overflows) = number.multipliedReportingOverflow(by: unit)
        return overflows ? nil : amount
    }
}
