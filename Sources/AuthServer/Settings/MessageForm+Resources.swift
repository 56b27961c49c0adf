// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The messages of projects and tenants (`Config` and `Tenant` of the Admin API, v2, 2026-11).
extension MessageForm {
    static let config = MessageForm(members: [
        "name": .readOnly, "subtype": .readOnly, "defaultHostingSite": .readOnly,
        "signIn": .message(signIn),
        "notification": .members([
            "sendEmail": .anything, "sendSms": .anything, "defaultLocale": .text,
        ]),
        "quota": .members(["signUpQuotaConfig": .message(signUpQuota)]),
        "monitoring": .message(monitoring),
        "multiTenant": .members(["allowTenants": .boolean, "defaultTenantLocation": .text]),
        "authorizedDomains": .list(.text),
        "client": .members(["apiKey": .readOnly, "firebaseSubdomain": .readOnly, "permissions": .message(permissions)]),
        "mfa": .message(secondFactors),
        "blockingFunctions": .message(blockingFunctions),
        "smsRegionConfig": .message(regions),
        "autodeleteAnonymousUsers": .boolean,
        "recaptchaConfig": .message(recaptcha),
        "passwordPolicyConfig": .message(passwordPolicy),
        "emailPrivacyConfig": .message(emailPrivacy),
        "mobileLinksConfig": .message(mobileLinks),
    ])

    static let tenant = MessageForm(members: [
        "name": .readOnly, "hashConfig": .readOnly, "autodeleteAnonymousUsers": .readOnly,
        "displayName": .text,
        "allowPasswordSignup": .boolean, "enableEmailLinkSignin": .boolean,
        "enableAnonymousUser": .boolean, "disableAuth": .boolean,
        "mfaConfig": .message(secondFactors),
        "testPhoneNumbers": .phones,
        "inheritance": .members(["emailSendingConfig": .boolean]),
        "client": .members(["permissions": .message(permissions)]),
        "monitoring": .message(monitoring),
        "smsRegionConfig": .message(regions),
        "recaptchaConfig": .message(recaptcha),
        "passwordPolicyConfig": .message(passwordPolicy),
        "emailPrivacyConfig": .message(emailPrivacy),
        "mobileLinksConfig": .message(mobileLinks),
    ])

    private static let signIn = MessageForm(members: [
        "email": .members(["enabled": .boolean, "passwordRequired": .boolean]),
        "phoneNumber": .members(["enabled": .boolean, "testPhoneNumbers": .phones]),
        "anonymous": .members(["enabled": .boolean]),
        "allowDuplicateEmails": .boolean,
        "hashConfig": .readOnly,
    ])

    private static let signUpQuota = MessageForm(
        members: ["quota": .int64, "startTime": .text, "quotaDuration": .text],
        always: ["startTime": .string("1970-01-01T00:00:00Z"), "quotaDuration": .string("0s")]
    )

    private static let monitoring = MessageForm(members: ["requestLogging": .members(["enabled": .boolean])])

    private static let permissions = MessageForm(
        members: ["disabledUserSignup": .boolean, "disabledUserDeletion": .boolean]
    )

    private static let emailPrivacy = MessageForm(members: ["enableImprovedEmailPrivacy": .boolean])

    private static let secondFactors = MessageForm(members: [
        "state": state("MultiFactorAuthConfig.State", "STATE_UNSPECIFIED"),
        "enabledProviders": .list(
            .choice(type: "admin.v2.MultiFactorAuthConfig.Provider", ["PROVIDER_UNSPECIFIED", "PHONE_SMS"])
        ),
        "providerConfigs": .list(.message(secondFactor)),
    ])

    private static let secondFactor = MessageForm(
        members: [
            "state": state("ProviderConfig.MfaState", "MFA_STATE_UNSPECIFIED"),
            "totpProviderConfig": .members(["adjacentIntervals": .int32]),
        ],
        requirement: "totpProviderConfig"
    )

    private static func state(_ type: String, _ unspecified: String) -> MemberForm {
        .choice(type: "admin.v2.\(type)", [unspecified, "DISABLED", "ENABLED", "MANDATORY"])
    }

    private static let blockingFunctions = MessageForm(
        members: [
            "triggers": .map(.members(["functionUri": .text, "updateTime": .readOnly])),
            "forwardInboundCredentials": .members([
                "idToken": .boolean, "accessToken": .boolean, "refreshToken": .boolean,
            ]),
        ],
        always: ["forwardInboundCredentials": .object([:])]
    )

    private static let regions = MessageForm(
        members: [
            "allowByDefault": .members(["disallowedRegions": .list(.text)]),
            "allowlistOnly": .members(["allowedRegions": .list(.text)]),
        ],
        oneOf: ("sms_region_policy", ["allowByDefault", "allowlistOnly"])
    )

    private static let mobileLinks = MessageForm(members: [
        "domain": .choice(
            type: "admin.v2.MobileLinksConfig.Domain",
            ["DOMAIN_UNSPECIFIED", "FIREBASE_DYNAMIC_LINK_DOMAIN", "HOSTING_DOMAIN"]
        )
    ])

    private static let passwordPolicy = MessageForm(members: [
        "passwordPolicyEnforcementState": .choice(
            type: "admin.v2.PasswordPolicyConfig.PasswordPolicyEnforcementState",
            ["PASSWORD_POLICY_ENFORCEMENT_STATE_UNSPECIFIED", "OFF", "ENFORCE"]
        ),
        "passwordPolicyVersions": .list(.message(passwordPolicyVersion)),
        "forceUpgradeOnSignin": .boolean,
        "lastUpdateTime": .readOnly,
    ])

    private static let passwordPolicyVersion = MessageForm(
        members: [
            "customStrengthOptions": .members([
                "minPasswordLength": .int32, "maxPasswordLength": .int32, "containsLowercaseCharacter": .boolean,
                "containsUppercaseCharacter": .boolean, "containsNumericCharacter": .boolean,
                "containsNonAlphanumericCharacter": .boolean,
            ]),
            "schemaVersion": .readOnly,
        ],
        always: ["schemaVersion": .integer(1)]
    )

    private static let recaptcha: MessageForm = {
        let states = [recaptchaUnspecified, "OFF", "AUDIT", "ENFORCE"]
        let state = MemberForm.choice(type: "admin.v2.RecaptchaConfig.RecaptchaProviderEnforcementState", states)
        let action = MemberForm.choice(
            type: "admin.v2.RecaptchaManagedRule.RecaptchaAction",
            ["RECAPTCHA_ACTION_UNSPECIFIED", "BLOCK"]
        )
        let kinds = ["CLIENT_TYPE_UNSPECIFIED", "WEB", "IOS", "ANDROID"]
        let key: [String: MemberForm] = [
            "key": .text, "type": .choice(type: "admin.v2.RecaptchaKey.RecaptchaKeyClientType", kinds),
        ]
        return MessageForm(
            members: [
                "emailPasswordEnforcementState": state, "phoneEnforcementState": state,
                "managedRules": .list(.members(["endScore": .decimal, "action": action])),
                "tollFraudManagedRules": .list(.members(["startScore": .decimal, "action": action])),
                "recaptchaKeys": .list(.members(key)),
                "useAccountDefender": .flag, "useSmsBotScore": .boolean, "useSmsTollFraudProtection": .boolean,
            ],
            always: recaptchaDefaults,
            // Recorded against production, September 2026.
            lasting: ["phoneEnforcementState", "useSmsBotScore", "useSmsTollFraudProtection"]
        )
    }()

    private static let recaptchaUnspecified = "RECAPTCHA_PROVIDER_ENFORCEMENT_STATE_UNSPECIFIED"

    /// The members that a configuration of reCAPTCHA always has.
    static let recaptchaDefaults: [String: JSONValue] = [
        "emailPasswordEnforcementState": .string(recaptchaUnspecified),
        "phoneEnforcementState": .string(recaptchaUnspecified),
        "useSmsBotScore": .bool(false), "useSmsTollFraudProtection": .bool(false),
    ]
}

/// The messages of identity providers.
extension MessageForm {
    static let oauthProvider = MessageForm(
        members: [
            "name": .readOnly, "clientId": .text, "issuer": .text, "displayName": .text, "enabled": .boolean,
            "clientSecret": .text,
            "responseType": .members(["idToken": .boolean, "code": .boolean, "token": .boolean]),
        ],
        always: ["responseType": .object(["idToken": .bool(true)])]
    )

    static let samlProvider = MessageForm(members: [
        "name": .readOnly, "displayName": .text, "enabled": .boolean,
        "idpConfig": .members([
            "idpEntityId": .text, "ssoUrl": .text, "signRequest": .boolean,
            "idpCertificates": .list(.members(["x509Certificate": .text, "expiresAt": .readOnly])),
        ]),
        "spConfig": .members(["spEntityId": .text, "callbackUri": .text, "spCertificates": .readOnly]),
    ])

    static let defaultProvider = MessageForm(members: [
        "name": .readOnly, "enabled": .boolean, "clientId": .text, "clientSecret": .text,
        "appleSignInConfig": .members([
            "bundleIds": .list(.text),
            "codeFlowConfig": .members(["teamId": .text, "keyId": .text, "privateKey": .text]),
        ]),
    ])
}
