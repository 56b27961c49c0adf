// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension QuotaStatus {
    /// The status in a line for people: `today: 412 MB of 1 GB, 41% · 1,204 reads`.
    public var line: String {
        let parts = [
            use(.storageEgressBytes).map(Self.text),
            use(.documentReads).map { "\($0.used.grouped) reads" },
            usd > 0 ? "$\(Bill.cents(usd)) this month" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: " · ")
    }

    private static func text(_ use: Use) -> String {
        guard let free = use.free else { return "this month: \(bytes(use.used, isBinary: false))" }
        let isBinary = free.amount.isMultiple(of: 1 << 30)
        let period = free.period == .day ? "today" : "this month"
        let (used, all) = (bytes(use.used, isBinary: isBinary), bytes(free.amount, isBinary: isBinary))
        return "\(period): \(used) of \(all), \(Int((use.percent ?? 0).rounded(.down)))%"
    }

    /// Bytes in the largest unit that they fill, in whole numbers but for gigabytes.
    static func bytes(_ count: Int64, isBinary: Bool) -> String {
        let (base, infix): (Int64, String) = isBinary ? (1_024, "i") : (1_000, "")
        let (mega, giga) = (base * base, base * base * base)
        switch count {
        case ..<base: return "\(count) B"
        case ..<mega: return "\(count / base) K\(infix)B"
        case ..<giga: return "\(count / mega) M\(infix)B"
        default:
            let hundredths = count / (giga / 100)
            let text = "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
            return "\(text.replacing(/\.?0+$/, with: "")) G\(infix)B"
        }
    }
}
