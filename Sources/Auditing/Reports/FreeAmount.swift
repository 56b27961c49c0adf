// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// How long an amount that is free lasts, with the first strategy and with the one that downloads least.
struct FreeAmount: Sendable, Hashable {
    /// A strategy's part of it.
    struct Line: Sendable, Hashable {
        let strategy: String
        let text: String
        let isEnough: Bool
    }

    /// The amount: `1 GB of downloads a day`.
    let title: String
    let lines: [Line]

    /// The amounts that are used, in the order of the profile.
    static func all(in report: ReplayReport) -> [FreeAmount] {
        guard let (first, best) = report.extremes else { return [] }
        let shown = first.strategy == best.strategy ? [first] : [first, best]
        return report.profile.sessionCharges.compactMap { charge in
            guard let free = charge.free else { return nil }
            let lines = shown.compactMap { outcome -> Line? in
                let quota = report.forecast(outcome).quotas.first { $0.item == charge.item }
                return quota.map { quota in
                    Line(
                        strategy: outcome.strategy.name,
                        text: text(quota, dailyUserCount: report.dailyUserCount),
                        isEnough: quota.percent <= 100
                    )
                }
            }
            let amount = charge.item.isBytes ? Figure.size(free.amount) : Figure.count(free.amount)
            let title = "\(amount) \(charge.item.plural) a \(free.period.rawValue)"
            return lines.isEmpty ? nil : FreeAmount(title: title, lines: lines)
        }
    }

    /// How long it lasts: `lasts 3 days`, `lasts all month, 56.3 % used`.
    ///
    /// A day's amount is taken to be used evenly from midnight to midnight.
    static func text(_ quota: Forecast.Quota, dailyUserCount: Int64) -> String {
        guard quota.percent > 100 else {
            return "lasts all \(quota.period.rawValue), \(Figure.percent(quota.percent)) used"
        }
        switch quota.period {
        case .month:
            let days = (quota.runsOutOnDay ?? 1) - 1
            return days == 0 ? "lasts less than a day" : "lasts \(Figure.counted(days, noun: "day"))"
        case .day:
            let minutes = Int64(1_440 * 100 / quota.percent)
            let time =
                minutes < 120
                ? Figure.counted(minutes, noun: "minute") : Figure.counted(minutes / 60, noun: "hour")
            let users = Int64(Double(dailyUserCount) * 100 / quota.percent)
            return "lasts \(time) of a day; enough for \(Figure.counted(users, noun: "daily user"))"
        }
    }
}

extension BillableItem {
    /// The item after an amount of it.
    fileprivate var plural: String {
        switch self {
        case .storageEgressBytes: "of downloads"
        case .storageClassA: "Class A operations (uploads, lists)"
        case .storageClassB: "Class B operations (downloads)"
        case .firestoreEgressBytes: "of documents sent"
        case .documentReads: "document reads"
        case .documentWrites: "document writes"
        case .documentDeletes: "document deletes"
        case .firestoreStoredBytes: "of stored documents"
        case .tier1ActiveUsers: "active users of tier 1"
        case .tier2ActiveUsers: "active users of tier 2"
        case .smsMessages: "messages to phones"
        }
    }
}
