// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metering

/// Figures as people read them, independent of any locale; none of them is negative.
package enum Figure {
    /// `1,234,567`.
    static func count(_ number: Int64) -> String { number.grouped }

    /// `1 response`, `1,234 responses`.
    package static func counted(_ number: Int64, noun: String, plural: String? = nil) -> String {
        "\(count(number)) " + (number == 1 ? noun : plural ?? noun + "s")
    }

    /// Decimal megabytes, `1,234.5 MB`.
    static func megabytes(_ byteCount: Int64) -> String { decimal(Double(byteCount) / 1_000_000) + " MB" }

    /// `1 GB`, `64 MiB`, where that is a whole number.
    static func size(_ byteCount: Int64) -> String {
        let size = ByteSize(byteCount).description
        let digits = size.prefix { $0.isNumber }
        return "\(digits) \(size.dropFirst(digits.count))"
    }

    /// Decimal megabytes, or gigabytes where the largest figure of the column has 1,000 MB.
    static func bytes(_ byteCount: Int64, largest: Int64? = nil) -> String {
        // 999.95 MB are rounded to 1,000.
        (largest ?? byteCount) < 999_950_000
            ? megabytes(byteCount) : hundredths(Double(byteCount) / 1_000_000_000) + " GB"
    }

    /// An amount of bytes in a sentence, where it stands alone: `85.2 kB`, `157.4 MB`.
    static func amount(_ byteCount: Int64) -> String { text(Double(byteCount), in: .bytes) }

    /// `12.5 %`.
    static func percent(_ percent: Double) -> String { decimal(percent) + " %" }

    /// `$1,404.56`, of whole cents.
    static func dollars(_ amount: Decimal) -> String {
        let cents = NSDecimalNumber(decimal: amount * 100).int64Value
        let rest = cents % 100
        return "$" + count(cents / 100) + (rest < 10 ? ".0" : ".") + String(rest)
    }

    /// `85 ms`, `1,234 ms`; `12.3 s` where the largest figure of the column has ten seconds.
    static func milliseconds(_ number: Double, largest: Double? = nil) -> String {
        (largest ?? number) < 10_000 ? count(whole(number)) + " ms" : decimal(number / 1_000) + " s"
    }

    /// `1,234 %`.
    static func wholePercent(_ percent: Double) -> String { count(whole(percent)) + " %" }

    /// One decimal, rounded, halves up.
    static func decimal(_ number: Double) -> String {
        let tenths = whole(number * 10)
        return count(tenths / 10) + "." + String(tenths % 10)
    }

    /// Two decimals, rounded, halves up.
    static func hundredths(_ number: Double) -> String {
        let hundredths = whole(number * 100)
        let fraction = hundredths % 100
        return count(hundredths / 100) + (fraction < 10 ? ".0" : ".") + String(fraction)
    }

    /// A figure of a report in its unit; a former report's may be anything.
    static func text(_ number: Double, in unit: ReportColumn.Unit) -> String {
        guard !(number < 0) else { return "-" + text(-number, in: unit) }
        return switch unit {
        case .bytes: number < 1_000_000 ? decimal(number / 1_000) + " kB" : bytes(whole(number))
        case .milliseconds: milliseconds(number)
        case .percent: percent(number)
        case .dollars: dollars(Bill.cents(Decimal(min(number, 1e15))))
        case .count: Int64(exactly: number).map(count) ?? hundredths(number)
        case .ratio: hundredths(number)
        }
    }

    /// A figure in a table of strategies, in the one unit of its column, which is that of the largest figure.
    static func cell(_ number: ReportColumn.Number, in unit: ReportColumn.Unit, largest: Double) -> String {
        switch (number, unit) {
        case (.whole(let count), .bytes): bytes(count, largest: whole(largest))
        case (.whole(let number), .count): count(number)
        case (_, .milliseconds): milliseconds(number.double, largest: largest)
        default: text(number.double, in: unit)
        }
    }

    /// The nearest whole number, or the largest that is shown.
    private static func whole(_ number: Double) -> Int64 { Int64(min(number, 1e18).rounded()) }

    /// The size of a cache, whole where it is a power of two: `64 MiB`, `61.0 MiB`.
    static func binarySize(_ byteCount: Int) -> String {
        let units = ["B", "KiB", "MiB", "GiB", "TiB"]
        let power = min(units.count - 1, max(0, (Int.bitWidth - 1 - (byteCount | 1).leadingZeroBitCount) / 10))
        let unit = 1 << (10 * power)
        let number =
            byteCount % unit == 0
            ? count(Int64(byteCount / unit)) : decimal(Double(byteCount) / Double(unit))
        return "\(number) \(units[power])"
    }
}
