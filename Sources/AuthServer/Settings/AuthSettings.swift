// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

/// The settings of a project and, where there is one, of its tenant; in the form of Identity Platform's `Config` and `Tenant` (v2).
struct AuthSettings {
    let project: JSONValue
    let tenant: JSONValue?
    /// Whose answers the settings are for.
    let profile: AuthProfile
    /// The functions that decide where the project's settings name none.
    var foundFunctions: JSONValue?

    /// The settings of a project that has none of its own: those of the official emulator.
    static let projectDefaults = JSONValue.object([
        "signIn": .object(["allowDuplicateEmails": .bool(false)]),
        "blockingFunctions": .object([:]),
        "emailPrivacyConfig": .object(["enableImprovedEmailPrivacy": .bool(false)]),
    ])

    /// The settings of a tenant that was not created before it was named.
    static func namedTenant(_ scope: AccountScope) -> JSONValue {
        .object([
            "tenantId": .string(scope.tenant ?? ""),
            "name": .string("projects/\(scope.project)/tenants/\(scope.tenant ?? "")"),
            "allowPasswordSignup": .bool(true), "disableAuth": .bool(false),
            "enableAnonymousUser": .bool(true), "enableEmailLinkSignin": .bool(true),
            "mfaConfig": .object([
                "state": .string("ENABLED"), "enabledProviders": .array([.string("PHONE_SMS")]),
            ]),
        ])
    }

    // MARK: Ways to sign in

    /// A tenant that is switched off.
    var isDisabled: Bool { tenant?["disableAuth"]?.boolean ?? false }
    var allowsDuplicateEmails: Bool { project["signIn"]?["allowDuplicateEmails"]?.boolean ?? false }
    /// Whether answers hide who has an account (e-mail enumeration protection).
    ///
    /// In production, a tenant decides that itself, and does not unless it is switched on.
    var hidesEmails: Bool {
        let owner = profile.isProduction ? tenant ?? project : project
        return owner["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"]?.boolean ?? false
    }

    /// Whether a way to sign in is there that the project's settings do not name: production leaves out false.
    private var isOnByDefault: Bool { !profile.isProduction }

    var allowsPasswords: Bool {
        if let tenant { return tenant["allowPasswordSignup"]?.boolean ?? false }
        return project["signIn"]?["email"]?["enabled"]?.boolean ?? isOnByDefault
    }

    var allowsEmailLinks: Bool {
        if let tenant { return tenant["enableEmailLinkSignin"]?.boolean ?? false }
        let email = project["signIn"]?["email"]
        return email?["enabled"]?.boolean ?? isOnByDefault && !(email?["passwordRequired"]?.boolean ?? false)
    }

    var allowsAnonymousUsers: Bool {
        if let tenant { return tenant["enableAnonymousUser"]?.boolean ?? false }
        return project["signIn"]?["anonymous"]?["enabled"]?.boolean ?? isOnByDefault
    }

    var allowsPhones: Bool { project["signIn"]?["phoneNumber"]?["enabled"]?.boolean ?? isOnByDefault }

    /// Whether users may create and delete their own accounts.
    var allowsSignUp: Bool { !(permissions?["disabledUserSignup"]?.boolean ?? false) }
    var allowsDeletion: Bool { !(permissions?["disabledUserDeletion"]?.boolean ?? false) }
    private var permissions: JSONValue? { (tenant ?? project)["client"]?["permissions"] }

    /// The code of a phone number that is for tests, and gets no message.
    func testCode(of phoneNumber: String) -> String? {
        tenant?["testPhoneNumbers"]?[phoneNumber]?.string
            ?? project["signIn"]?["phoneNumber"]?["testPhoneNumbers"]?[phoneNumber]?.string
    }

    var passwordPolicy: PasswordPolicy { PasswordPolicy((tenant ?? project)["passwordPolicyConfig"], profile) }

    // MARK: Links

    /// The domains to which links may lead.
    var authorizedDomains: [String] {
        (project["authorizedDomains"]?.array ?? []).compactMap { $0.string?.lowercased() }
    }

    /// The language of links.
    var language: String { project["notification"]?["defaultLocale"]?.string ?? "en" }

    // MARK: Second factors

    /// Whether users who have a second factor are asked for it.
    var asksForSecondFactor: Bool {
        guard let state = secondFactors?["state"]?.string else { return isOnByDefault }
        return ["ENABLED", "MANDATORY"].contains(state)
    }

    var allowsPhoneFactor: Bool {
        guard asksForSecondFactor else { return false }
        guard let names = secondFactors?["enabledProviders"]?.array else { return isOnByDefault && tenant == nil }
        return names.contains(.string("PHONE_SMS"))
    }

    /// How many intervals before and after the present one a code of an authenticator app is good for; `nil` where apps are
    /// not taken.
    var authenticatorIntervals: Int64? {
        let apps = secondFactors?["providerConfigs"]?.array?.first { $0["totpProviderConfig"] != nil }
        guard asksForSecondFactor, let apps, apps["state"]?.string == "ENABLED" else { return nil }
        // The default, firebase.google.com/docs/auth/web/totp-mfa (2026-11).
        return apps["totpProviderConfig"]?["adjacentIntervals"]?.integer ?? 5
    }

    private var secondFactors: JSONValue? { tenant.map { $0["mfaConfig"] } ?? (project["mfa"] ?? project["mfaConfig"]) }

    // MARK: Functions

    private var blockingFunctions: JSONValue? {
        let own = project["blockingFunctions"]
        return own?["triggers"] == nil ? foundFunctions ?? own : own
    }

    /// The function that decides on an event.
    func blockingFunction(for event: BlockingEvent) -> String? {
        blockingFunctions?["triggers"]?[event.rawValue]?["functionUri"]?.string
    }

    var hasBlockingFunctions: Bool { BlockingEvent.allCases.contains { blockingFunction(for: $0) != nil } }

    /// Whether functions get a credential of the identity provider: `idToken`, `accessToken` or `refreshToken`.
    func forwards(_ credential: String) -> Bool {
        blockingFunctions?["forwardInboundCredentials"]?[credential]?.boolean ?? false
    }
}

/// An event that a function decides on.
enum BlockingEvent: String, CaseIterable {
    case beforeCreate
    case beforeSignIn
}
