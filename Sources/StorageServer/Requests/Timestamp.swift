// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Times as Google's JSON has them (RFC 3339).
enum Timestamp {
    /// Reads a time such as `2026-11-21T00:51:46.653275Z`, in microseconds since the Unix epoch; `nil` for other texts.
    ///
    /// Digits below a microsecond are cut off.
    static func microseconds(_ text: String) -> Int64? {
        let sides = text.split(separator: ".", maxSplits: 1)
        guard let first = sides.first else { return nil }
        guard sides.count == 2 else { return wholeSeconds(text).map { $0 * 1_000_000 } }
        let digits = sides[1].prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, let seconds = wholeSeconds(first + sides[1].dropFirst(digits.count)) else { return nil }
        let padded = digits.prefix(6) + String(repeating: "0", count: max(0, 6 - digits.count))
        return Int64(padded).map { seconds * 1_000_000 + $0 }
    }

    /// The years 0 to 9999, all that have four digits; Foundation reads others too, whose microseconds would not fit.
    private static let seconds: Range<TimeInterval> = -62_167_219_200..<253_402_300_800

    private static func wholeSeconds(_ text: some StringProtocol) -> Int64? {
        guard let time = try? Date.ISO8601FormatStyle().parse(String(text)).timeIntervalSince1970,
            seconds.contains(time)
        else { return nil }
        return Int64(time)
    }

    /// Writes a time in milliseconds, as Cloud Storage writes its own: `2026-11-21T00:51:46.653Z`.
    static func text(microseconds: Int64) -> String {
        let (seconds, fraction) = parts(microseconds)
        return "\(seconds).\(padded(fraction / 1_000, to: 3))Z"
    }

    /// Writes a time in microseconds, as clients' own times are written.
    static func fineText(microseconds: Int64) -> String {
        let (seconds, fraction) = parts(microseconds)
        return "\(seconds).\(padded(fraction, to: 6))Z"
    }

    private static func parts(_ microseconds: Int64) -> (seconds: String, fraction: Int64) {
        let whole = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        // Times before 1970 are rounded down as well.
        let seconds = whole.remainder < 0 ? whole.quotient - 1 : whole.quotient
        // Formatted without its fraction, which a floating-point time could round away.
        let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        return (String(text.dropLast()), microseconds - seconds * 1_000_000)
    }

    private static func padded(_ number: Int64, to count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
