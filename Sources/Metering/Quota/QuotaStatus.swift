// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How much of a profile's free amounts is used, and what the month has cost so far.
public struct QuotaStatus: Sendable, Hashable {
    /// How much of one item is used.
    public struct Use: Sendable, Hashable {
        /// The item.
        public let item: BillableItem
        /// The amount used in the period of its free amount; where nothing is free, in the month.
        public let used: Int64
        /// The free amount in that period; `nil` where nothing is free.
        public let free: Charge.FreeAmount?
        /// When the free amount is used up at the pace of the last five minutes, in microseconds since the Unix epoch; `nil`
        /// where it begins again before that.
        public let endMicroseconds: Int64?

        package init(item: BillableItem, used: Int64, free: Charge.FreeAmount?, endMicroseconds: Int64? = nil) {
            self.item = item
            self.used = used
            self.free = free
            self.endMicroseconds = endMicroseconds
        }

        /// The share that is used, in percent; `nil` where nothing is free.
        public var percent: Double? { free.map { 100 * Double(used) / Double($0.amount) } }
        /// Whether the free amount is used up.
        public var isOver: Bool { free.map { used >= $0.amount } ?? false }
    }

    /// The profile.
    public let profile: PriceProfile
    /// The present day where the profile's days begin, as `YYYY-MM-DD`.
    public let day: String
    /// When the next day begins, in microseconds since the Unix epoch.
    public let resetMicroseconds: Int64
    /// The items, in the order of the profile.
    public let uses: [Use]
    /// The cost of the month so far, in US dollars.
    public let usd: Decimal

    package init(profile: PriceProfile, day: String, resetMicroseconds: Int64, uses: [Use], usd: Decimal) {
        self.profile = profile
        self.day = day
        self.resetMicroseconds = resetMicroseconds
        self.uses = uses
        self.usd = usd
    }

    /// How much of an item is used; `nil` for one that the profile does not have.
    public func use(_ item: BillableItem) -> Use? { uses.first { $0.item == item } }
}

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

/// Reports to servers which requests production would refuse when a quota is used up.
public protocol QuotaGate: Sendable {
    /// Whether one of the items is used up, and requests that need it are refused.
    func isOver(_ items: [BillableItem]) -> Bool
}
