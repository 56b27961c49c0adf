// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering
import NIOConcurrencyHelpers

/// Counts what is used of a profile's free amounts, by the day and the month, as requests end.
///
/// The days are the profile's, and can be advanced: then the emulator lives that many days later, as far as quotas go.
package final class QuotaTally: UsageRecording, QuotaGate {
    private struct State {
        /// How far the tally's time is ahead, in microseconds.
        var lead: Int64 = 0
        /// The days of the month so far; the last is today.
        var days: [(day: QuotaCalendar.Day, amounts: ItemAmounts)] = []
        /// How fast today's amounts grow.
        var pace = UsagePace()
    }

    /// The price list with the free amounts.
    package let profile: PriceProfile
    private let isEnforced: Bool
    private let calendar: QuotaCalendar
    private let now: @Sendable () -> Int64
    private let state: NIOLockedValueBox<State>

    /// Begins with nothing used.
    ///
    /// - Parameters:
    ///   - profile: The price list with the free amounts.
    ///   - isEnforced: Whether what is used up is refused, if the profile refuses.
    ///   - now: Microseconds since the Unix epoch.
    package init(profile: PriceProfile, isEnforced: Bool, now: @escaping @Sendable () -> Int64) {
        self.profile = profile
        self.isEnforced = isEnforced
        self.now = now
        calendar = QuotaCalendar(zone: profile.resetZone)
        state = NIOLockedValueBox(State())
        state.withLockedValue { goOn(&$0) }
    }

    /// When the month began, in microseconds since the Unix epoch.
    package var monthStart: Int64 { state.withLockedValue { $0.days.first?.day.start ?? 0 } }

    /// Adds what was billed at a time before, as far as it is in this month.
    package func add(_ billed: BilledUsage, of service: UsageAttribution.Service, at microseconds: Int64) {
        state.withLockedValue { state in
            guard let index = state.days.lastIndex(where: { $0.day.start <= microseconds }) else { return }
            state.days[index].amounts.add(billed, of: service)
        }
    }

    /// Counts a request in the present day.
    package func record(_ record: UsageRecord) { add(record, count: 1) }

    /// Ends requests that were alike, when the first of them ended.
    package func record(_ run: UsageRun) { add(run.first, count: Int64(run.count)) }

    /// Where a quota is enforced the next request is judged by those before.
    package var takesRuns: Bool { !isEnforced }

    private func add(_ record: UsageRecord, count: Int64) {
        let (billed, service) = record.billedOfService
        guard billed != .zero else { return }
        // It has just ended, and asking the clock again would take as long as all the rest.
        let end = record.startMicroseconds + record.durationMicroseconds
        state.withLockedValue { state in
            goOn(&state, at: end)
            // Usage reported late belongs to the day on which it ended.
            guard let day = state.days.lastIndex(where: { $0.day.start <= end + state.lead }) else { return }
            if end + state.lead >= state.pace.nextLook { Self.note(&state, at: end + state.lead) }
            state.days[day].amounts.add(billed * count, of: service)
        }
    }

    private static func note(_ state: inout State, at present: Int64) {
        guard let today = state.days.last else { return }
        state.pace.note(today.amounts, at: present)
    }

    /// Whether one of the items is used up, and requests that need it are refused.
    package func isOver(_ items: [BillableItem]) -> Bool {
        guard isEnforced, profile.overQuota == .refused else { return false }
        return state.withLockedValue { state in
            goOn(&state)
            return items.contains { item in use(item, in: state).isOver }
        }
    }

    /// Goes on as many days later, with nothing used on those.
    package func advance(days: Int) {
        state.withLockedValue { state in
            let present = now() + state.lead
            state.lead += calendar.advance(present, days: days) - present
            goOn(&state)
        }
    }

    /// The current usage.
    package var status: QuotaStatus {
        state.withLockedValue { state in
            goOn(&state)
            let present = now() + state.lead
            if present >= state.pace.nextLook { Self.note(&state, at: present) }
            return QuotaStatus(
                profile: profile,
                day: calendar.name(ofDay: present),
                resetMicroseconds: state.days.last?.day.end ?? 0,
                uses: profile.charges.filter(\.item.isMetered).map { use($0.item, in: state) },
                usd: profile.bill(ofMonth: state.days.map(\.amounts.byItem)).usd
            )
        }
    }

    private func use(_ item: BillableItem, in state: State) -> QuotaStatus.Use {
        let free = profile.charge(item)?.free
        let days = free?.period == .day ? state.days.suffix(1) : state.days[...]
        let used = days.reduce(0) { $0 + $1.amounts[item] }
        return QuotaStatus.Use(
            item: item,
            used: used,
            free: free,
            endMicroseconds: end(of: item, used, free, in: state)
        )
    }

    /// When a free amount is used up at the present pace, if that is before it begins again.
    private func end(of item: BillableItem, _ used: Int64, _ free: Charge.FreeAmount?, in state: State) -> Int64? {
        guard let free, used < free.amount, let today = state.days.last else { return nil }
        let present = now() + state.lead
        let rest = free.amount - used
        guard let end = state.pace.end(of: item, leaving: rest, amounts: today.amounts, at: present) else { return nil }
        let renewal = free.period == .day ? today.day.end : calendar.endOfMonth(at: present)
        return end < renewal ? end : nil
    }

    private func goOn(_ state: inout State) { goOn(&state, at: now()) }

    /// Begins the days that have begun since it was last called.
    private func goOn(_ state: inout State, at microseconds: Int64) {
        let present = microseconds + state.lead
        // A clock that was set back does not begin a day again.
        if let today = state.days.last?.day, present < today.end { return }
        let former = Dictionary(uniqueKeysWithValues: state.days.map { ($0.day, $0.amounts) })
        state.days = calendar.days(upTo: present).map { ($0, former[$0] ?? ItemAmounts()) }
        state.pace.reset()
    }
}
