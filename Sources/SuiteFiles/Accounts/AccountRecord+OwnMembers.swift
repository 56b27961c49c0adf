// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AccountRecord {
    /// The interval of the year 9999; an authenticator app's interval has 30 seconds.
    private static let intervalMax = timeMax / 30_000

    /// Reads the members of exports from here: how a hash was made, authenticator apps, active months.
    func takeOwnMembers(into account: inout Account) throws(Fault) {
        guard let own = json[AccountMember.own], own != .null else { return }
        guard case .object = own else { throw Fault(reason: "its \(AccountMember.own) is not an object") }
        account.takeHiddenMembers(of: own)
        // Another password was put into the export.
        if account.password.hash?.hasPrefix(PlainPassword.prefix) ?? true { account.password.hashing = nil }
        guard account.secondFactors?.allSatisfy(Self.isUsable) ?? true else {
            throw Fault(reason: "one of its \(AccountMember.factors) is neither a phone nor an app")
        }
    }

    private static func isUsable(_ factor: SecondFactor) -> Bool {
        (factor.phoneNumber != nil || factor.sharedSecret != nil)
            && (0...intervalMax).contains(factor.lastInterval ?? 0)
    }
}
