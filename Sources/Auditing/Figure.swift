// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// Figures as people read them, independent of any locale; none of them is negative.
enum Figure {
    /// `1,234,567`.
    static func count(_ number: Int64) -> String { number.grouped }

    /// Decimal megabytes, `1,234.5 MB`.
    static func megabytes(_ byteCount: Int64) -> String { decimal(Double(byteCount) / 1_000_000) + " MB" }

    /// `12.5 %`.
    static func percent(_ percent: Double) -> String { decimal(percent) + " %" }

    /// One decimal, rounded, halves up.
    static func decimal(_ number: Double) -> String {
        let tenths = Int64((number * 10).rounded())
        return count(tenths / 10) + "." + String(tenths % 10)
    }
}
