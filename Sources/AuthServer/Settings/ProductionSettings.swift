// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The members of projects and tenants that production has without being asked (recorded in September 2026).
///
/// Keys and texts are Firemeter's own.
enum ProductionSettings {
    /// The parameters of hashes, as Firebase exports them.
    private static let hash = JSONValue.object([
        "algorithm": .string("SCRYPT"), "saltSeparator": .string("Bw=="), "rounds": .integer(8),
        "memoryCost": .integer(14),
        "signerKey": .string(
            "RmlyZW1ldGVyIHNpZ25zIG5vIHBhc3N3b3JkcyB3aXRoIHRoaXM7IGl0IG9ubHkgZmlsbHMgaXRzIHBsYWNlLg=="
        ),
    ])

    private static let subtype = JSONValue.string("IDENTITY_PLATFORM")

    /// Completes the settings of a project that was set up with the other profile, which leaves out what is switched on.
    static func completed(_ config: JSONValue, of project: String) -> JSONValue {
        config["subtype"] == nil ? defaults(of: project).merging(config) : config
    }

    /// The settings of a new project, with everything that needs no set-up elsewhere switched on.
    static func defaults(of project: String) -> JSONValue {
        .object([
            "subtype": subtype,
            "signIn": .object([
                "anonymous": .object(["enabled": .bool(true)]), "email": .object(["enabled": .bool(true)]),
                "phoneNumber": .object(["enabled": .bool(true)]),
            ]),
            "authorizedDomains": .array(
                ["localhost", "\(project).firebaseapp.com", "\(project).web.app"].map(JSONValue.string)
            ),
            "client": .object(["permissions": .object([:])]),
            "mfa": .object(["state": .string("ENABLED"), "enabledProviders": .array([.string("PHONE_SMS")])]),
            "multiTenant": .object(["allowTenants": .bool(true)]), "blockingFunctions": .object([:]),
            "notification": notification(of: project), "quota": .object([:]),
            "monitoring": .object(["requestLogging": .object([:])]),
            "recaptchaConfig": .object(MessageForm.recaptchaDefaults),
            "mobileLinksConfig": .object(["domain": .string("HOSTING_DOMAIN")]),
            // On for projects since September 2023 (firebase.google.com/docs/auth, "Email enumeration protection",
            // 2026-11).
            "emailPrivacyConfig": .object(["enableImprovedEmailPrivacy": .bool(true)]),
        ])
    }

    private static func notification(of project: String) -> JSONValue {
        var email: [String: JSONValue] = [
            "method": .string("DEFAULT"),
            "callbackUri": .string("https://\(project).firebaseapp.com/__/auth/action"),
            "dnsInfo": .object([
                "customDomainState": .string("NOT_STARTED"),
                "domainVerificationRequestTime": .string("1970-01-01T00:00:00Z"),
            ]),
        ]
        for (name, subject) in [
            ("resetPasswordTemplate", "Reset your password for %APP_NAME%"),
            ("verifyEmailTemplate", "Verify your address for %APP_NAME%"),
            ("changeEmailTemplate", "Your address for %APP_NAME% was changed"),
            ("revertSecondFactorAdditionTemplate", "A second factor was added for %APP_NAME%"),
        ] {
            email[name] = .object([
                "senderLocalPart": .string("noreply"), "replyTo": .string("noreply"), "subject": .string(subject),
                "body": .string("<p><a href='%LINK%'>%LINK%</a></p>"), "bodyFormat": .string("HTML"),
            ])
        }
        let content = "%LOGIN_CODE% is your verification code for %APP_NAME%."
        return .object([
            "sendEmail": .object(email),
            "sendSms": .object(["smsTemplate": .object(["content": .string(content)])]),
            "defaultLocale": .string("en"),
        ])
    }

    /// The settings of a project as they are answered.
    static func answer(_ config: JSONValue, of project: String) -> JSONValue {
        let regions = config["smsRegionConfig"] ?? .object(["allowByDefault": .object([:])])
        return config.merging(
            .object([
                "name": .string("projects/\(ProjectNumber.text)/config"), "subtype": subtype,
                "smsRegionConfig": regions,
                "client": .object(["apiKey": .string("firemeter"), "firebaseSubdomain": .string(project)]),
                "signIn": .object(["hashConfig": hash]), "defaultHostingSite": .string(project),
            ])
        )
    }

    /// The settings of a tenant as they are answered; alone, with the parameters of hashes.
    static func answer(tenant: JSONValue, isAlone: Bool = false) -> JSONValue {
        JSONValue.object(["inheritance": .object([:])])
            .merging(tenant)
            .merging(.object(isAlone ? ["hashConfig": hash] : [:]))
    }
}
