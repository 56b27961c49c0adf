// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON
import Wire

extension AuthOperations {
    /// `GET projects`: what clients need to know of the project.
    func projectConfig() throws -> JSONText {
        let settings = try enabledSettings()
        try require(scope.tenant == nil, "UNSUPPORTED_TENANT_OPERATION")
        let domains = settings.project["authorizedDomains"]?.array ?? [.string("localhost")]
        return .object([
            ("projectId", .string(ProjectNumber.text)), ("authorizedDomains", JSONText(.array(domains))),
        ])
    }

    /// `GET recaptchaParams`: keys that are plainly not real.
    func recaptchaParams() throws -> JSONText {
        _ = try enabledSettings()
        return .object(compacting: [
            ("kind", "identitytoolkit#GetRecaptchaParamResponse"),
            (
                "recaptchaStoken",
                "This-is-a-fake-token__Dont-send-this-to-the-Recaptcha-service__The-Auth-Emulator-does-not-support-Recaptcha"
            ),
            ("recaptchaSiteKey", "Fake-key__Do-not-send-this-to-Recaptcha_"),
            ("producerProjectNumber", context.profile.isProduction ? .string(ProjectNumber.text) : nil),
        ])
    }

    /// `GET config` of a project.
    func config() throws -> JSONText { shown(try context.settings.settings(of: scope.ofProject).project) }

    /// `PATCH config` of a project: the members that a mask names, or everything.
    func updateConfig() throws -> JSONText {
        for (event, trigger) in try body.object("blockingFunctions")?.object("triggers")?.members ?? [:] {
            try require(BlockingEvent(rawValue: event) != nil, "INVALID_BLOCKING_FUNCTION : ((Event type is invalid.))")
            try require(
                AbsoluteURL.isOne(trigger["functionUri"]?.string ?? ""),
                "INVALID_BLOCKING_FUNCTION : ((Expected an absolute URI with valid scheme and host.))"
            )
        }
        let defaults = context.profile.defaults(of: scope.project)
        if context.profile.isProduction {
            let change = try SettingsChange(of: .config, body, mask: call.target["updateMask"])
            let time = context.clock.milliseconds
            return shown(
                try context.settings.change(scope.ofProject) { try change.applied(to: $0, over: defaults, at: time) }
            )
        }
        let update = JSONValue.object(body.members)
        let mask = FieldMask(call.target["updateMask"])
        return JSONText(
            try context.settings.change(scope.ofProject) { present in
                mask?.copy(from: update, into: present) ?? defaults.merging(update)
            }
        )
    }

    private func shown(_ config: JSONValue) -> JSONText {
        JSONText(context.profile.isProduction ? ProductionSettings.answer(config, of: scope.project) : config)
    }

    // MARK: The emulator's own

    /// The members that the official emulator's own configuration has.
    func emulatorConfig() throws -> JSONText {
        let settings = try context.settings.settings(of: scope.ofProject)
        return .object([
            ("signIn", .object([("allowDuplicateEmails", .boolean(settings.allowsDuplicateEmails))])),
            ("emailPrivacyConfig", .object([("enableImprovedEmailPrivacy", .boolean(settings.hidesEmails))])),
        ])
    }

    func updateEmulatorConfig() throws -> JSONText {
        let members = ["signIn.allowDuplicateEmails", "emailPrivacyConfig.enableImprovedEmailPrivacy"]
        let mask = FieldMask(members.joined(separator: ","))
        let update = JSONValue.object(body.members)
        _ = try context.settings.change(scope.ofProject) { mask?.copy(from: update, into: $0) ?? $0 }
        return try emulatorConfig()
    }

    func deleteAllAccounts() throws -> JSONText {
        try context.store.deleting(scope) { try $0.removeAllAccounts() }
        return .object([])
    }

    func deleteAllProjects() throws -> JSONText {
        try context.store.removeAll()
        context.settings.forget()
        return .object([])
    }

    func actionCodes() throws -> JSONText {
        .object([("oobCodes", .array(try reading { try $0.actionCodes() }.map(\.json)))])
    }

    func phoneCodes() throws -> JSONText {
        .object([("verificationCodes", .array(try reading { try $0.phoneCodes() }.map(\.json)))])
    }

    /// The users of a provider, for the page on which one of them is chosen.
    func accountsOfProvider() throws -> JSONText {
        let provider = try require(call.target["providerId"], "MISSING_PROVIDER_ID")
        let tenant = call.target["tid"] ?? call.target["tenantId"]
        let scope = AccountScope(project: scope.project, tenant: tenant.flatMap { $0.isEmpty ? nil : $0 })
        let identities = try context.store.reading(scope) { try $0.identities(at: provider) }
        let accounts = identities.map { identity in
            JSONText.object(compacting: [
                ("sub", .string(identity.rawID)), ("email", identity.email.map(JSONText.string)),
                ("displayName", identity.displayName.map(JSONText.string)),
                ("photoUrl", identity.photoURL.map(JSONText.string)),
                ("screenName", identity.screenName.map(JSONText.string)),
            ])
        }
        return .object([("accounts", .array(accounts))])
    }

    // MARK: The time

    /// The time of accounts and tokens.
    var clockState: JSONText {
        .object([
            ("time", .string(AccountTime.text(milliseconds: context.clock.milliseconds))),
            ("frozen", .boolean(context.clock.isFrozen)),
        ])
    }

    /// Sets the time, which then runs on, or stands still.
    func setClock() throws -> JSONText {
        let text = try require(try body.filled("time"), "MISSING_TIME")
        let milliseconds = try require(AccountTime.milliseconds(text), "INVALID_TIME : Expected a time of RFC 3339.")
        context.clock.set(milliseconds: milliseconds, isFrozen: try body.isTrue("frozen"))
        return clockState
    }

    func resetClock() -> JSONText {
        context.clock.reset()
        return clockState
    }
}
