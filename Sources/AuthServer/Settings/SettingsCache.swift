// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON
import NIOConcurrencyHelpers

/// The settings of projects and tenants, read once.
final class SettingsCache: Sendable {
    private let store: SQLiteAccountStore
    private let known = NIOLockedValueBox<[AccountScope: JSONValue]>([:])
    /// The project whose functions were found with the Functions emulator, and those that decide.
    private let found = NIOLockedValueBox<(project: String, functions: JSONValue)?>(nil)

    private static let countMax = 1_000

    private let profile: AuthProfile

    init(store: SQLiteAccountStore, profile: AuthProfile) { (self.store, self.profile) = (store, profile) }

    /// The settings that count for calls to a scope.
    ///
    /// On the official emulator a tenant that is named for the first time is created, with every way to sign in switched on;
    /// production knows no such tenant.
    func settings(of scope: AccountScope) throws -> AuthSettings {
        joined(
            scope,
            project: try settings(scope.ofProject) { profile.defaults(of: scope.project) },
            tenant: scope.tenant == nil ? nil : try settings(scope) { try namedTenant(scope) }
        )
    }

    /// The settings that count for calls to a scope, where they have been read before.
    func knownSettings(of scope: AccountScope) -> AuthSettings? {
        known.withLockedValue { known in
            guard let project = known[scope.ofProject] else { return nil }
            guard scope.tenant != nil else { return joined(scope, project: project, tenant: nil) }
            return known[scope].map { joined(scope, project: project, tenant: $0) }
        }
    }

    private func joined(_ scope: AccountScope, project: JSONValue, tenant: JSONValue?) -> AuthSettings {
        let found = found.withLockedValue { $0?.project == scope.project ? $0?.functions : nil }
        return AuthSettings(project: project, tenant: tenant, profile: profile, foundFunctions: found)
    }

    /// Has functions decide on a project's sign-ins where its settings name none; they are not kept.
    func use(_ functions: JSONValue?, project: String) {
        found.withLockedValue { $0 = functions.map { (project, $0) } }
    }

    private func namedTenant(_ scope: AccountScope) throws -> JSONValue {
        let isRemoved = try store.isRemoved(scope)
        guard !profile.isProduction, !isRemoved else { throw AuthFailure.unknownTenant }
        return AuthSettings.namedTenant(scope)
    }

    private func settings(_ scope: AccountScope, _ defaults: () throws -> JSONValue) throws -> JSONValue {
        if let settings = known.withLockedValue({ $0[scope] }) { return settings }
        let kept = try store.settings(of: scope)
        let settings = try kept.map { profile.completed($0, of: scope) } ?? defaults()
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

    /// Creates a tenant, and returns its settings.
    func create(_ tenant: AccountScope, _ settings: JSONValue) throws -> JSONValue {
        try store.writing(tenant) { try $0.change(settings: settings) }
        keep(settings, of: tenant)
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
