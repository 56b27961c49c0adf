// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// A demand of production on a part of settings; its messages were recorded in September 2026.
struct SettingsRule: Sendable {
    let path: [String]
    /// Returns the refusal of a value that does not do.
    let fault: @Sendable (JSONValue?) -> String?

    init(_ path: String..., fault: @escaping @Sendable (JSONValue?) -> String?) {
        (self.path, self.fault) = (path, fault)
    }
}

extension SettingsRule {
    static let ofConfig = [
        SettingsRule("signIn", "phoneNumber", "testPhoneNumbers", fault: phones),
        SettingsRule("authorizedDomains", fault: domains),
        SettingsRule("smsRegionConfig", fault: regions),
        SettingsRule("passwordPolicyConfig", fault: passwordPolicy),
        SettingsRule("mfa", fault: secondFactors),
        SettingsRule("recaptchaConfig", fault: recaptcha),
    ]

    static let ofTenant = [
        SettingsRule("displayName", fault: displayName),
        SettingsRule("testPhoneNumbers", fault: phones),
        SettingsRule("smsRegionConfig", fault: regions),
        SettingsRule("passwordPolicyConfig", fault: passwordPolicy),
        SettingsRule("mfaConfig", fault: secondFactors),
        SettingsRule("recaptchaConfig", fault: recaptcha),
    ]

    static let ofOAuthProvider = [
        SettingsRule(fault: oauthProvider)
    ]

    // MARK: Names and numbers

    @Sendable private static func displayName(_ value: JSONValue?) -> String? {
        guard let name = value?.string else { return "MISSING_DISPLAY_NAME : Missing tenant with valid display_name." }
        let isValid =
            (4...20).contains(name.utf8.count) && name.first?.isLetter == true
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        return isValid
            ? nil
            : "INVALID_DISPLAY_NAME : display_name should start with a letter and only consist of letters, digits and "
                + "hyphens with 4-20 characters."
    }

    @Sendable private static func phones(_ value: JSONValue?) -> String? {
        let isValid = value?.members?.keys.allSatisfy(AccountRules.isPhoneNumber) ?? true
        return isValid ? nil : "INVALID_PHONE_NUMBER : Invalid format."
    }

    @Sendable private static func domains(_ value: JSONValue?) -> String? {
        for domain in value?.texts ?? [] {
            if domain.isEmpty { return "INVALID_AUTHORIZED_DOMAIN : An authorized domain is empty." }
            let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
            let isValid = labels.allSatisfy { label in
                !label.isEmpty && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            }
            if !isValid { return "INVALID_AUTHORIZED_DOMAIN : \(domain) should only contain the valid domain." }
        }
        return nil
    }

    @Sendable private static func regions(_ value: JSONValue?) -> String? {
        let codes =
            (value?["allowByDefault"]?["disallowedRegions"] ?? value?["allowlistOnly"]?["allowedRegions"])?.texts ?? []
        let isValid = codes.allSatisfy { RegionCode.all.contains($0.uppercased()) }
        return isValid ? nil : "INVALID_REGION_CODE : Invalid region code."
    }

    // MARK: Passwords and second factors

    @Sendable private static func passwordPolicy(_ value: JSONValue?) -> String? {
        guard let value else { return nil }
        let versions = value["passwordPolicyVersions"]?.array ?? []
        let isOff = value["passwordPolicyEnforcementState"]?.string != "ENFORCE"
        if isOff && versions.isEmpty { return nil }
        guard versions.count == 1 else { return "INVALID_CONFIG : Policy versions list must be of length 1" }
        let options = versions[0]["customStrengthOptions"]
        let lengthMin = options?["minPasswordLength"]?.integer ?? PasswordPolicy.byteCountMinDefault
        let lengthMax = options?["maxPasswordLength"]?.integer ?? PasswordPolicy.byteCountMaxDefault
        if !PasswordPolicy.lengthMinRange.contains(lengthMin) {
            return "INVALID_CONFIG : Minimum password length must be between 6 and 30"
        }
        if lengthMax < lengthMin {
            return "INVALID_CONFIG : Maximum password length must be greater than or equal to the minimum password "
                + "length"
        }
        if lengthMax > PasswordPolicy.byteCountMaxDefault {
            return "INVALID_CONFIG : Maximum password length must be less than or equal to 4096"
        }
        return nil
    }

    @Sendable private static func secondFactors(_ value: JSONValue?) -> String? {
        let isValid = (value?["providerConfigs"]?.array ?? []).allSatisfy { config in
            (0...10).contains(config["totpProviderConfig"]?["adjacentIntervals"]?.integer ?? 0)
        }
        return isValid
            ? nil
            : "INVALID_ADJACENT_INTERVAL_RANGE : Allowed number of adjacent intervals must be between 0 and 10, "
                + "inclusive"
    }

    // MARK: reCAPTCHA

    @Sendable private static func recaptcha(_ value: JSONValue?) -> String? {
        guard let value else { return nil }
        // There are no keys of reCAPTCHA Enterprise here, so none that is named exists.
        if value["recaptchaKeys"] != nil { return "INVALID_SITE_KEY" }
        for (list, member, word) in [
            ("managedRules", "endScore", "end"), ("tollFraudManagedRules", "startScore", "start"),
        ] {
            for rule in value[list]?.array ?? [] {
                if !isScore(rule[member]) {
                    return "INVALID_CONFIG : The \(word) score in reCAPTCHA managed rules must be a value between 0.0 "
                        + "and 1.0, at 11 discrete values; e.g. 0.1, 0.2, 0.3, 0.4, ... 0.9, 1.0."
                }
                if rule["action"] == nil {
                    return "INVALID_CONFIG : The action in reCAPTCHA managed rules must be set."
                }
            }
        }
        let asksPhones = ["AUDIT", "ENFORCE"].contains(value["phoneEnforcementState"]?.string ?? "")
        let scores = ["useSmsBotScore", "useSmsTollFraudProtection"].contains { value[$0]?.boolean == true }
        return asksPhones == scores
            ? nil
            : "INVALID_RECAPTCHA_PHONE_AUTH_CONFIGURATION : Phone auth enforcement state must be aligned with toll "
                + "fraud or bot score enablement."
    }

    private static func isScore(_ value: JSONValue?) -> Bool {
        switch value {
        case nil, .integer(0), .integer(1): true
        case .number(let digits): (0...10).contains { Double(digits) == Double($0) / 10 }
        default: false
        }
    }

    // MARK: Providers

    @Sendable private static func oauthProvider(_ value: JSONValue?) -> String? {
        if value?["clientId"] == nil {
            return "MISSING_OAUTH_CLIENT_ID : Client_id in OAuthIdpConfig cannot be empty."
        }
        let type = value?["responseType"]
        let wantsCode = type?["code"]?.boolean == true
        if wantsCode && type?["idToken"]?.boolean == true {
            return "INVALID_CONFIG : response_type should have exactly one of 'idToken' and 'code' being true. Setting "
                + "both types to be true ('{code: true, idToken: true}') is not yet supported."
        }
        if wantsCode && value?["clientSecret"] == nil {
            return "INVALID_CONFIG : client_secret cannot be empty for code flow."
        }
        let issuer = value?["issuer"]?.string ?? ""
        let isValid = issuer.hasPrefix("https://") && AbsoluteURL.isOne(issuer)
        return isValid ? nil : "INVALID_ISSUER : Issuer in OAuthIdpConfig should be a valid URL."
    }
}

extension JSONValue {
    /// The texts of a list.
    fileprivate var texts: [String] { array?.compactMap(\.string) ?? [] }
}
