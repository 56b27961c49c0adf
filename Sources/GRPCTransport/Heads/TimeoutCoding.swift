// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Deadlines as `grpc-timeout` writes them: up to eight digits and a unit, such as `250m`.
enum TimeoutCoding {
    private static let digitCountMax = 8

    /// Returns `nil` for text that is not a timeout.
    static func decode(_ text: String) -> Duration? {
        let digits = text.utf8.dropLast()
        guard (1...digitCountMax).contains(digits.count), let unit = text.utf8.last else { return nil }
        var amount: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            amount = amount * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return duration(amount, unit: unit)
    }

    private static func duration(_ amount: Int64, unit: UInt8) -> Duration? {
        switch unit {
        case UInt8(ascii: "H"): .seconds(amount * 3_600)
        case UInt8(ascii: "M"): .seconds(amount * 60)
        case UInt8(ascii: "S"): .seconds(amount)
        case UInt8(ascii: "m"): .milliseconds(amount)
        case UInt8(ascii: "u"): .microseconds(amount)
        case UInt8(ascii: "n"): .nanoseconds(amount)
        default: nil
        }
    }
}
