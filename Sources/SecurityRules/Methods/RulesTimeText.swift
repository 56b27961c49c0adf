// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// Reads times as the language does: RFC 3339, with a Z or an offset, and days and hours that spill over.
enum RulesTimeText {
    /// Nanoseconds since 1970; `nil` for anything else.
    static func nanoseconds(_ text: String) -> Int128? {
        guard let match = text.wholeMatch(of: form),
            let year = Int64(match.1), let month = Int64(match.2), let day = Int64(match.3),
            let hour = Int64(match.4), let minute = Int64(match.5), let second = Int64(match.6),
            (1...12).contains(month)
        else { return nil }
        let firstDay = CivilDate(year: year, month: month, day: 1).daysSinceEpoch
        var total = Int128((firstDay + day - 1) * 86_400 + hour * 3_600 + minute * 60 + second)
        if let sign = match.9, let hours = match.10.flatMap({ Int64($0) }),
            let minutes = match.11.flatMap({ Int64($0) })
        {
            total -= Int128((sign == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60))
        }
        let fraction = (match.7 ?? "").prefix(9)
        let nanoseconds = Int128(fraction + String(repeating: "0", count: 9 - fraction.count)) ?? 0
        return total * 1_000_000_000 + nanoseconds
    }

    nonisolated(unsafe) private static let form =
        /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:(Z)|([+-])(\d\d):(\d\d))/
}
