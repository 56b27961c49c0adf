// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Foundation
import Metering

/// How active users are counted.
///
/// "Any account that has signed in within a given month is considered an active user"; providers are of two tiers
/// (cloud.google.com/identity-platform/pricing, 2026-11). That a user counts once in each tier, and that a month is one of
/// Pacific Time, as on bills, are our inference. A refresh of tokens does not count as a sign-in.
enum ActiveUsers {
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "America/Los_Angeles") ?? .gmt
        return calendar
    }()

    /// The month of a time in seconds since the Unix epoch; months are counted since the year 0.
    static func month(at seconds: Int64) -> Int64 {
        let parts = calendar.dateComponents([.year, .month], from: Date(timeIntervalSince1970: TimeInterval(seconds)))
        return Int64((parts.year ?? 0) * 12 + (parts.month ?? 1) - 1)
    }

    /// Notes a month in which a user has signed in.
    ///
    /// - Parameters:
    ///   - month: The present one.
    ///   - provider: The provider of the sign-in.
    ///   - months: Those of the user.
    /// - Returns: The user, where this was their first sign-in of the month.
    static func note(_ month: Int64, provider: String, in months: inout ActiveMonths) -> BilledUsage {
        switch ProviderKind(provider) {
        case .openID, .saml: BilledUsage(tier2ActiveUsers: note(month, in: &months.tier2))
        case .wellKnown: BilledUsage(tier1ActiveUsers: note(month, in: &months.tier1))
        }
    }

    /// Returns one for a month after the last; a clock that was set back makes none active again.
    private static func note(_ month: Int64, in last: inout Int64?) -> Int64 {
        if let last, month <= last { return 0 }
        last = month
        return 1
    }
}

extension AuthOperations {
    /// Notes that a user signs in now, whose first sign-in it may be.
    func noteSignIn(of account: inout Account, by provider: String, isFirst: Bool) {
        let now = context.clock.milliseconds
        let hasNoSecret = [ProviderName.anonymous, ProviderName.phone].contains(provider)
        // As in production, where tokens of such users cannot be older than they are.
        if context.profile.isProduction, isFirst, !hasNoSecret {
            account.validSince = account.validSince ?? now / 1_000
        }
        account.lastLoginAt = now
        let month = ActiveUsers.month(at: now / 1_000)
        let billed = ActiveUsers.note(month, provider: provider, in: &account.lastActiveMonths)
        call.outcome.add(signInOf: account.localID, billed: billed)
    }
}
