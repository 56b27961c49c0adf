// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

/// Whose answers the server gives where the official emulator and production differ.
///
/// Production's answers were recorded by others in September 2026 (t-k/fireemu, conformance/auth-*-production.json,
/// Apache-2.0).
package enum AuthProfile: String, Sendable, CaseIterable {
    /// The official emulator's (firebase-tools 15.28.1), so that its users and its test suites see no difference.
    case emulator
    case production

    var isProduction: Bool { self == .production }

    /// The settings of a project that has none of its own.
    func defaults(of project: String) -> JSONValue {
        switch self {
        case .emulator: AuthSettings.projectDefaults
        case .production: Self.productionDefaults(of: project)
        }
    }

    /// A new project with everything that needs no set-up elsewhere switched on.
    private static func productionDefaults(of project: String) -> JSONValue {
        let email = JSONValue.object(["enabled": .bool(true), "passwordRequired": .bool(false)])
        let phone = JSONValue.object(["enabled": .bool(true), "testPhoneNumbers": .object([:])])
        return .object([
            "name": .string("projects/\(ProjectNumber.text)/config"),
            "subtype": .string("IDENTITY_PLATFORM"),
            "signIn": .object([
                "allowDuplicateEmails": .bool(false), "anonymous": .object(["enabled": .bool(true)]),
                "email": email, "phoneNumber": phone,
            ]),
            "authorizedDomains": .array(
                ["localhost", "\(project).firebaseapp.com", "\(project).web.app"].map(JSONValue.string)
            ),
            "client": .object(["permissions": .object([:]), "firebaseSubdomain": .string(project)]),
            "mfa": .object(["state": .string("ENABLED"), "enabledProviders": .array([.string("PHONE_SMS")])]),
            "multiTenant": .object(["allowTenants": .bool(true)]), "blockingFunctions": .object([:]),
            "notification": .object([:]), "quota": .object([:]), "monitoring": .object([:]),
            "recaptchaConfig": .object([:]), "smsRegionConfig": .object([:]), "passwordPolicyConfig": .object([:]),
            // On for projects since September 2023 (firebase.google.com/docs/auth, "Email enumeration protection", 2026-11).
            "emailPrivacyConfig": .object(["enableImprovedEmailPrivacy": .bool(true)]),
        ])
    }
}

extension Account {
    /// The text in the place of a hash that is not shown: "REDACTED" in base 64.
    private static let redacted = "UkVEQUNURUQ="

    /// The account as a profile shows it to apps and administrators; exports have the hashes.
    func shown(by profile: AuthProfile) -> Account {
        guard profile.isProduction else { return self }
        var account = self
        account.password.salt = nil
        if password.hash != nil { account.password.hash = Self.redacted }
        account.secondFactors = secondFactors.flatMap { factors in
            factors.isEmpty
                ? nil
                : factors.map { factor in
                    var shown = factor
                    shown.repeatsNumber = false
                    return shown
                }
        }
        return account
    }
}
