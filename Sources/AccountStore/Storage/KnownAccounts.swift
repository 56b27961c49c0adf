// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// Users that were read lately: servers ask for the same ones again and again, to see whether tokens still count.
final class KnownAccounts: Sendable {
    private struct Key: Hashable {
        let scope: AccountScope
        let id: String
    }

    private struct State {
        var accounts: [Key: Account] = [:]
        /// Grows with each transaction that changed something.
        var changeCount = 0
    }

    private static let countMax = 10_000

    private let state = NIOLockedValueBox(State())

    subscript(id: String, in scope: AccountScope) -> Account? {
        state.withLockedValue { $0.accounts[Key(scope: scope, id: id)] }
    }

    /// A mark to take before users are read.
    var mark: Int { state.withLockedValue { $0.changeCount } }

    /// Keeps a user, unless something has changed since the mark: then it may be an old state of the user.
    func keep(_ account: Account, in scope: AccountScope, readAt mark: Int) {
        state.withLockedValue { state in
            guard state.changeCount == mark else { return }
            if state.accounts.count >= Self.countMax { state.accounts = [:] }
            state.accounts[Key(scope: scope, id: account.localID)] = account
        }
    }

    /// Forgets users that were changed; called when their change is committed.
    func forget(_ changes: AccountChanges) {
        guard !changes.areNone else { return }
        state.withLockedValue { state in
            state.changeCount += 1
            if changes.areOfAll {
                state.accounts = [:]
            } else {
                for id in changes.ids { state.accounts[Key(scope: changes.scope, id: id)] = nil }
            }
        }
    }
}

/// The users that a transaction changes.
// Unchecked because a transaction runs on one thread.
final class AccountChanges: @unchecked Sendable {
    let scope: AccountScope
    private(set) var ids: Set<String> = []
    /// Many users were changed at once.
    private(set) var areOfAll = false
    /// The users that come and go.
    private(set) var events: [AccountEvent] = []

    init(_ scope: AccountScope) { self.scope = scope }

    var areNone: Bool { ids.isEmpty && !areOfAll }

    func add(_ id: String) {
        if !areOfAll { ids.insert(id) }
    }

    func addAll() { areOfAll = true }

    /// Notes that a user comes or goes.
    func add(_ kind: AccountEvent.Kind, _ account: Account) {
        events.append(AccountEvent(kind: kind, account: account, scope: scope))
    }

    /// Forgets what a body noted that is run again.
    func begin() { events = [] }
}
