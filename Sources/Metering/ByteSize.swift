// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Bytes as people write them: `64MB`, `256MiB`, `1000`.
package struct ByteSize: Sendable, Hashable, CustomStringConvertible {
    /// Decimal as in the International System of Units, binary as in IEC 80000-13; the shown one first.
    private static let units: [(name: String, byteCount: Int64)] = [
        ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000),
        ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10),
    ]

    /// The bytes.
    package let byteCount: Int64

    /// Takes a number of bytes.
    package init(_ byteCount: Int64) { self.byteCount = byteCount }

    /// Reads a whole number and its unit, if it has one; `nil` for anything else.
    package init?(_ text: some StringProtocol) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unitName = text.dropFirst(digits.count).lowercased()
        let unit = unitName.isEmpty ? 1 : Self.units.first { $0.name.lowercased() == unitName }?.byteCount
        guard let number = Int64(digits), let unit else { return nil }
        let (byteCount, overflows) = number.multipliedReportingOverflow(by: unit)
        guard !overflows else { return nil }
        self.byteCount = byteCount
    }

    package var description: String {
        // 64 MiB are 67,108,864 bytes; a user who writes one form wants to read it again.
        let unit = Self.units.first { byteCount >= $0.byteCount && byteCount % $0.byteCount == 0 }
        return unit.map { "\(byteCount / $0.byteCount)\($0.name)" } ?? String(byteCount)
    }
}
