// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The size at which a session log is set aside, such as `64MB`, or `never`.
struct RotationSize: ExpressibleByArgument, CustomStringConvertible {
    private static let never = "never"
    /// Smaller ones would hold next to nothing but headers.
    private static let byteCountMin: Int64 = 1_000
    /// Decimal as in the International System of Units, binary as in IEC 80000-13; the shown one first.
    private static let units: [(name: String, byteCount: Int64)] = [
        ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10),
    ]

    /// In bytes; `nil` where it never is.
    let byteCount: Int64?

    init(byteCount: Int64?) {
        self.byteCount = byteCount
    }

    init?(argument: String) {
        if argument == Self.never {
            self.init(byteCount: nil)
            return
        }
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        let unitName = argument.dropFirst(digits.count).lowercased()
        let unit = Self.units.first { $0.name.lowercased() == unitName }?.byteCount
        guard let number = Int64(digits), let unit = unitName.isEmpty ? 1 : unit else { return nil }
        let (byteCount, overflows) = number.multipliedReportingOverflow(by: unit)
        guard !overflows, byteCount >= Self.byteCountMin else { return nil }
        self.init(byteCount: byteCount)
    }

    var description: String {
        guard let byteCount else { return Self.never }
        let unit = Self.units.first { byteCount % $0.byteCount == 0 }
        return unit.map { "\(byteCount / $0.byteCount)\($0.name)" } ?? String(byteCount)
    }
}
