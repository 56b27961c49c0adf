// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOConcurrencyHelpers

/// The facts about a call that the meter wants to know, as its method finds them out.
final class CallOutcome: Sendable {
    private struct State {
        var user: String?
        var billed = BilledUsage.zero
    }

    private let state = NIOLockedValueBox(State())

    /// The user who has signed in.
    var user: String? { state.withLockedValue(\.user) }

    /// The users who became active, and the messages that were sent.
    var billed: BilledUsage { state.withLockedValue(\.billed) }

    /// Notes a sign-in.
    ///
    /// - Parameters:
    ///   - user: The id of the user.
    ///   - billed: The user, where they became active with it.
    func add(signInOf user: String, billed: BilledUsage) {
        state.withLockedValue { state in
            state.user = user
            state.billed = state.billed + billed
        }
    }

    /// Notes a message that was sent to a phone.
    func addMessage() {
        state.withLockedValue { $0.billed.smsMessages += 1 }
    }
}
