// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON
import NIOConcurrencyHelpers

/// The settings of projects and tenants, read once.
final class SettingsCache: Sendable {
    private let store: SQLiteAccountStore
    private let known = NIOLockedValueBox<[AccountScope: JSONValue]>([:])

    private static let countMax = 1_000

    init(store: SQLiteAccountStore) { self.store = store }

    /// The settings that count for calls to a scope; a tenant that is named for the first time is created, with every way to
    /// sign in switched on, as on the official emulator.
    func settings(of scope: AccountScope) throws -> AuthSettings {
        AuthSettings(
            project: try settings(scope.ofProject) { AuthSettings.projectDefaults },
            tenant: scope.tenant == nil ? nil : try settings(scope) { AuthSettings.namedTenant(scope) }
        )
    }

    private func settings(_ scope: AccountScope, _ defaults: () -> JSONValue) throws -> JSONValue {
        if let settings = known.withLockedValue({ $0[scope] }) { return settings }
        let kept = try store.settings(of: scope)
        let settings = kept ?? defaults()
        if kept == nil, scope.tenant != nil { try store.writing(scope) { try $0.change(settings: settings) } }
        keep(settings, of: scope)
        return settings
    }

    /// Changes settings, and returns them as they are now.
    func change(_ scope: AccountScope, _ change: (JSONValue) throws -> JSONValue) throws -> JSONValue {
        let present = try settings(of: scope)
        let settings = try change(present.tenant ?? present.project)
        try store.writing(scope) { try $0.change(settings: settings) }
        keep(settings, of: scope)
        return settings
    }

    /// Forgets a scope that was removed, or all of them.
    func forget(_ scope: AccountScope? = nil) {
        known.withLockedValue { known in
            if let scope { known[scope] = nil } else { known = [:] }
        }
    }

    private func keep(_ settings: JSONValue, of scope: AccountScope) {
        known.withLockedValue { known in
            if known.count >= Self.countMax { known = [:] }
            known[scope] = settings
        }
    }
}
