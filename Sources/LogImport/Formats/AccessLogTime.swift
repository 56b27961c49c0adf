// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// How an access log writes times.
enum AccessLogTime: Sendable, Hashable {
    /// `10/Oct/2000:13:55:36 -0700`.
    case local
    /// `2000-10-10T13:55:36-07:00`, in the zone perhaps without the colon.
    case iso8601
    /// Since 1970, perhaps with a fraction.
    case seconds
    case milliseconds
    case microseconds
}

extension AccessLogTime {
    /// Microseconds since 1970; `nil` for text that is not such a time.
    func microseconds(in line: UnsafeBufferPointer<UInt8>, at when: Range<Int>) -> Int64? {
        let text = UnsafeBufferPointer(rebasing: line[when])
        return switch self {
        case .local: TimeText.microseconds(commonLog: text)
        case .iso8601: TimeText.microseconds(rfc3339: text, isColonOptional: true)
        case .seconds: Self.sinceEpoch(line, at: when, unit: 1_000_000, fractionDigitCount: 6)
        case .milliseconds: Self.sinceEpoch(line, at: when, unit: 1_000, fractionDigitCount: 3)
        case .microseconds: Self.sinceEpoch(line, at: when, unit: 1, fractionDigitCount: 0)
        }
    }

    private static func sinceEpoch(
        _ line: UnsafeBufferPointer<UInt8>,
        at when: Range<Int>,
        unit: Int64,
        fractionDigitCount: Int
    ) -> Int64? {
        let point = ByteSearch.first(UInt8(ascii: "."), in: line, at: when)
        let bytes = UnsafeRawBufferPointer(line)
        guard let whole = DigitWord.number(in: bytes, at: when.lowerBound..<(point ?? when.upperBound)),
            // The year 9999 at most, as everywhere.
            whole <= 253_402_300_799_999_999 / unit
        else { return nil }
        guard let point else { return whole * unit }
        var (fraction, digitCount): (Int64, Int) = (0, 0)
        for index in point + 1..<when.upperBound {
            let digit = line[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            guard digitCount < fractionDigitCount else { continue }
            (fraction, digitCount) = (fraction * 10 + Int64(digit), digitCount + 1)
        }
        for _ in digitCount..<fractionDigitCount { fraction *= 10 }
        return whole * unit + fraction
    }
}
