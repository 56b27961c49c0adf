// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Metering
import Testing

@testable import AuthServer

@Suite struct ActiveUsersTests {
    @Test(
        "a month begins at midnight in Pacific Time",
        arguments: [
            (1_793_516_399, 2026 * 12 + 9), (1_793_516_400, 2026 * 12 + 10), (1_798_790_399, 2026 * 12 + 11),
            (1_798_790_400, 2027 * 12),
        ] as [(Int64, Int64)]
    )
    func months(seconds: Int64, month: Int64) {
        #expect(ActiveUsers.month(at: seconds) == month)
    }

    @Test func `a user is billed once in a month and tier`() {
        var months = ActiveMonths()
        let signIns: [(month: Int64, provider: String, billed: BilledUsage)] = [
            (1, "password", BilledUsage(tier1ActiveUsers: 1)), (1, "google.com", .zero),
            (1, "saml.work", BilledUsage(tier2ActiveUsers: 1)), (1, "oidc.work", .zero),
            (2, "anonymous", BilledUsage(tier1ActiveUsers: 1)), (2, "oidc.work", BilledUsage(tier2ActiveUsers: 1)),
            (2, "phone", .zero), (1, "password", .zero),
        ]
        for signIn in signIns {
            let billed = ActiveUsers.note(signIn.month, provider: signIn.provider, in: &months)
            #expect(billed == signIn.billed, "\(signIn.provider) in month \(signIn.month)")
        }
    }
}
