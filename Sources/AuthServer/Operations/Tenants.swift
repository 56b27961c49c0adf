// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON
import Wire

extension AuthOperations {
    private static let pageCountMax = 1_000
    /// The members of a tenant that are false where a call does not say otherwise, as in production.
    private static let switches = [
        "allowPasswordSignup", "disableAuth", "enableAnonymousUser", "enableEmailLinkSignin",
    ]
    private static let otherMembers = [
        "displayName", "testPhoneNumbers", "passwordPolicyConfig", "client", "emailPrivacyConfig", "monitoring",
        "inheritance", "smsRegionConfig", "recaptchaConfig", "hashConfig",
    ]

    /// `POST tenants`.
    func createTenant() throws -> JSONText {
        try checkMultiTenancy()
        // A display name that cannot be one is refused before it is part of an id.
        if context.profile.isProduction { _ = try changed(nil, scope) }
        var id = try newTenantID()
        while try context.store.hasTenant(AccountScope(project: scope.project, tenant: id)) { id = try newTenantID() }
        let tenant = AccountScope(project: scope.project, tenant: id)
        let settings = try context.profile.isProduction ? changed(nil, tenant) : newTenant(tenant)
        return shown(try context.settings.create(tenant, settings))
    }

    /// Throws in production where the project has no tenants.
    private func checkMultiTenancy() throws {
        guard context.profile.isProduction else { return }
        let project = try context.settings.settings(of: scope.ofProject).project
        try require(project["multiTenant"]?["allowTenants"]?.boolean == true, "INVALID_PROJECT_ID")
    }

    /// The settings of a tenant after a call, as production makes and checks them.
    private func changed(_ present: JSONValue?, _ tenant: AccountScope) throws(AuthFailure) -> JSONValue {
        let name = JSONValue.string("projects/\(tenant.project)/tenants/\(tenant.tenant ?? "")")
        return try SettingsChange(of: .tenant, body, mask: call.target["updateMask"])
            .applied(to: present, over: .object(["name": name]), at: context.clock.milliseconds)
    }

    private func shown(_ tenant: JSONValue, isAlone: Bool = false) -> JSONText {
        let isProduction = context.profile.isProduction
        return JSONText(isProduction ? ProductionSettings.answer(tenant: tenant, isAlone: isAlone) : tenant)
    }

    /// Letters and digits; in production the display name, a hyphen and five characters.
    private func newTenantID() throws(AuthFailure) -> String {
        let name = try body.text("displayName") ?? ""
        return context.profile.isProduction ? "\(name)-\(context.random.id(5).lowercased())" : context.random.id(28)
    }

    /// The settings of a tenant by a call.
    private func newTenant(_ tenant: AccountScope) throws(AuthFailure) -> JSONValue {
        var members: [String: JSONValue] = [
            "tenantId": .string(tenant.tenant ?? ""),
            "name": .string("projects/\(tenant.project)/tenants/\(tenant.tenant ?? "")"),
        ]
        for name in Self.switches { members[name] = .bool(try body.isTrue(name)) }
        for name in Self.otherMembers { members[name] = body[name] }
        var factors = try body.object("mfaConfig")?.members ?? [:]
        if factors["state"] == nil { factors["state"] = .string("DISABLED") }
        if factors["enabledProviders"] == nil { factors["enabledProviders"] = .array([]) }
        members["mfaConfig"] = .object(factors)
        return .object(members)
    }

    /// `GET tenants`: a page of them by their ids.
    func listTenants() throws -> JSONText {
        try checkMultiTenancy()
        let size = try call.pageSize("pageSize", max: Self.pageCountMax)
        let tenants = try context.store.tenants(of: scope.project, after: call.target["pageToken"])
        let page = size.map { tenants.prefix($0) } ?? tenants[...]
        let next = size.flatMap { page.count >= $0 ? page.last?.id : nil }
        return .object(compacting: [
            ("tenants", list(page.map { shown($0.settings) })), ("nextPageToken", next.map(JSONText.string)),
        ])
    }

    /// `GET tenants/{tenant}`.
    func tenant() throws -> JSONText {
        try checkMultiTenancy()
        return shown(try context.settings.settings(of: scope).tenant ?? .object([:]), isAlone: true)
    }

    /// `PATCH tenants/{tenant}`: the members that a mask names, or everything.
    func updateTenant() throws -> JSONText {
        try checkMultiTenancy()
        if context.profile.isProduction {
            return shown(try context.settings.change(scope) { try changed($0, scope) })
        }
        let mask = FieldMask(call.target["updateMask"])
        let update = JSONValue.object(body.members)
        return JSONText(
            try context.settings.change(scope) { try mask?.copy(from: update, into: $0) ?? newTenant(scope) }
        )
    }

    /// `DELETE tenants/{tenant}`, with its users.
    func deleteTenant() throws -> JSONText {
        try checkMultiTenancy()
        _ = try context.settings.settings(of: scope)
        try context.store.remove(scope)
        context.settings.forget(scope)
        return .object([])
    }
}
