// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A price list with its free amounts, dated: what a month of usage costs, and how much of a day's quota is gone.
///
/// Profiles are data: those that ship are files beside this one, and users bring their own, see ``init(reading:)``.
public struct PriceProfile: Sendable, Hashable {
    /// The consequence of using up a free amount.
    public enum OverQuota: String, Sendable, Hashable, CaseIterable {
        /// The rest is billed.
        case billed
        /// Requests are refused until the next period.
        case refused
    }

    /// The name by which commands take it.
    public let name: String
    /// The subject of the price list, in a line.
    public let title: String
    /// The day on which its prices were last known to hold, as `YYYY-MM-DD`; of each charge, see ``Charge/asOf``.
    public let asOf: String
    /// Where days and months begin at midnight.
    public let resetZone: TimeZone
    /// The consequence of using up a free amount.
    public let overQuota: OverQuota
    /// The prices; at most one for each item.
    public let charges: [Charge]

    /// The price of one item.
    public func charge(_ item: BillableItem) -> Charge? { charges.first { $0.item == item } }
}

extension PriceProfile {
    /// The free amount of an item for one day; `nil` where there is none, or one for a month.
    public func freePerDay(_ item: BillableItem) -> Int64? {
        guard let free = charge(item)?.free, free.period == .day else { return nil }
        return free.amount
    }

    /// The share of a day's free downloads that these bytes take, in percent; `nil` where none are free by the day.
    public func downloadPercent(of byteCount: Int64) -> Double? {
        freePerDay(.storageEgressBytes).map { 100 * Double(byteCount) / Double($0) }
    }
}

/// Why a profile cannot be used.
public struct ProfileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line of the file, counted from 1; `nil` for what is wrong with no single file.
    public let line: Int?
    /// The problem, and how it may be remedied.
    public let message: String
    /// Whether a file holds no profile; otherwise the name of a profile is wrong, or several do not go together.
    package let isInFile: Bool

    init(line: Int?, message: String, isInFile: Bool = false) {
        (self.line, self.message, self.isInFile) = (line, message, isInFile)
    }

    /// The line, if any, and the message.
    public var description: String { (line.map { "line \($0): " } ?? "") + message }
}

/// Bytes or operations as profiles write them: `1 GB`, `10 TiB`, `50000`.
///
/// GB is 10^9 bytes and GiB 2^30: price lists mix them up, profiles must not.
enum Amount {
    private static let units: [String: Int64] = [
        "B": 1, "KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
        "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
    ]

    /// Returns `nil` for text that is not a positive amount: of bytes with a unit, of operations without one.
    static func parse(_ text: String, isBytes: Bool) -> Int64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == (isBytes ? 2 : 1), let number = Int64(words[0]), number > 0 else { return nil }
        guard isBytes else { return number }
        guard let unit = units[String(words[1])] else { return nil }
        let (amount, overflows) = number.multipliedReportingOverflow(by: unit)
        return overflows ? nil : amount
    }
}
