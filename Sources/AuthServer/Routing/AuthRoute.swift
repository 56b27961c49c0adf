// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Wire

/// A method, and what the path says of its target.
struct AuthRoute: Equatable {
    var method: AuthMethod
    var project: String?
    var tenant: String?
    /// The provider that a path is about.
    var resource: String?
    /// The kind of providers: `oauthIdpConfigs`, `inboundSamlConfigs` or `defaultSupportedIdpConfigs`.
    var collection: String?

    init(_ method: AuthMethod, project: String? = nil, tenant: String? = nil) {
        (self.method, self.project, self.tenant) = (method, project, tenant)
    }

    /// Returns `nil` for a path that is not known, or not with that method.
    init?(_ method: HTTPRequest.Method, path: Substring) {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        guard segments.count >= 2 else { return nil }
        let rest = Array(segments.dropFirst())
        switch segments[0] {
        case "identitytoolkit.googleapis.com": self.init(toolkit: method, rest)
        case "securetoken.googleapis.com":
            guard method == .post, rest == ["v1", "token"] else { return nil }
            self.init(.token)
        case "www.googleapis.com": self.init(legacy: rest)
        case "emulator": self.init(emulator: method, rest)
        default: return nil
        }
    }

    // MARK: Identity Toolkit

    private init?(toolkit method: HTTPRequest.Method, _ segments: [String]) {
        var segments = segments
        // Google's documents name configurations below /admin, too.
        if segments.first == "admin" { segments.removeFirst() }
        guard let version = segments.first, ["v1", "v2", "v2beta1", "v1beta1"].contains(version) else { return nil }
        let rest = Array(segments.dropFirst())
        guard let first = rest.first else { return nil }
        if first == "projects", rest.count > 1 {
            self.init(ofProject: method, Array(rest.dropFirst()))
        } else if let found = Self.global[[method.rawValue] + rest] {
            self.init(found)
        } else {
            return nil
        }
    }

    private static let global: [[String]: AuthMethod] = {
        var table: [[String]: AuthMethod] = [
            ["GET", "projects"]: .getProjectConfig, ["GET", "recaptchaParams"]: .getRecaptchaParams,
            ["GET", "recaptchaConfig"]: .getRecaptchaConfig, ["GET", "passwordPolicy"]: .getPasswordPolicy,
            ["GET", "sessionCookiePublicKeys"]: .getPublicKeys, ["GET", "publicKeys"]: .getPublicKeys,
            ["GET", "defaultSupportedIdps"]: .listDefaultProviders,
            ["POST", "accounts", "mfaEnrollment:start"]: .startEnrollment,
            ["POST", "accounts", "mfaEnrollment:finalize"]: .finalizeEnrollment,
            ["POST", "accounts", "mfaEnrollment:withdraw"]: .withdrawEnrollment,
            ["POST", "accounts", "mfaSignIn:start"]: .startSignIn,
            ["POST", "accounts", "mfaSignIn:finalize"]: .finalizeSignIn,
            ["POST", "accounts", "passkeyEnrollment:start"]: .startPasskeyEnrollment,
            ["POST", "accounts", "passkeyEnrollment:finalize"]: .finalizePasskeyEnrollment,
            ["POST", "accounts", "passkeySignIn:start"]: .startPasskeySignIn,
            ["POST", "accounts", "passkeySignIn:finalize"]: .finalizePasskeySignIn,
        ]
        let ofAccounts: [AuthMethod] = [
            .signUp, .signInWithPassword, .signInWithCustomToken, .signInWithEmailLink, .signInWithIdp,
            .signInWithPhoneNumber, .sendVerificationCode, .sendOobCode, .resetPassword, .createAuthUri, .update,
            .lookup, .delete,
        ]
        for method in ofAccounts { table[["POST", "accounts:\(method.rawValue)"]] = method }
        for name in ["issueSamlResponse", "signInWithGameCenter", "verifyIosClient", "revokeToken"] {
            table[["POST", "accounts:\(name)"]] = .unimplemented
        }
        return table
    }()

    private init?(ofProject method: HTTPRequest.Method, _ segments: [String]) {
        var segments = segments
        let (project, verb) = Self.split(segments.removeFirst())
        guard let project = PercentCoding.decode(project), !project.isEmpty else { return nil }
        var tenant: String?
        if verb == nil, segments.first == "tenants", segments.count > 1 {
            let (id, tenantVerb) = Self.split(segments[1])
            guard let id = PercentCoding.decode(id), !id.isEmpty else { return nil }
            tenant = id
            segments = Array(segments.dropFirst(2)) + (tenantVerb.map { [":\($0)"] } ?? [])
            if segments.isEmpty {
                guard let found = Self.ofTenant[method.rawValue] else { return nil }
                self.init(found, project: project, tenant: tenant)
                return
            }
        } else if let verb {
            segments = [":\(verb)"] + segments
        }
        if let found = Self.inProject[[method.rawValue] + segments] {
            self.init(found, project: project, tenant: tenant)
        } else {
            self.init(ofProviders: method, segments, project: project, tenant: tenant)
        }
    }

    private static let ofTenant: [String: AuthMethod] = [
        "GET": .getTenant, "PATCH": .updateTenant, "DELETE": .deleteTenant,
    ]

    private static let inProject: [[String]: AuthMethod] = {
        var table: [[String]: AuthMethod] = [
            ["POST", "accounts"]: .signUp, ["GET", "accounts:batchGet"]: .batchGet,
            ["POST", ":createSessionCookie"]: .createSessionCookie, ["POST", ":queryAccounts"]: .query,
            ["GET", "config"]: .getConfig, ["PATCH", "config"]: .updateConfig,
            ["POST", "tenants"]: .createTenant, ["GET", "tenants"]: .listTenants,
            ["POST", "identityPlatform:initializeAuth"]: .unimplemented,
            ["POST", ":getIamPolicy"]: .unimplemented, ["POST", ":setIamPolicy"]: .unimplemented,
            ["POST", ":testIamPermissions"]: .unimplemented,
        ]
        for method in [AuthMethod.delete, .lookup, .query, .sendOobCode, .update, .batchCreate, .batchDelete] {
            table[["POST", "accounts:\(method.rawValue)"]] = method
        }
        return table
    }()

    private init?(ofProviders method: HTTPRequest.Method, _ segments: [String], project: String, tenant: String?) {
        guard let collection = segments.first, ProviderConfigs.collections.contains(collection) else { return nil }
        let found: AuthMethod? =
            switch (method, segments.count) {
            case (.post, 1): .createProvider
            case (.get, 1): .listProviders
            case (.get, 2): .getProvider
            case (.patch, 2): .updateProvider
            case (.delete, 2): .deleteProvider
            default: nil
            }
        guard let found else { return nil }
        self.init(found, project: project, tenant: tenant)
        self.collection = collection
        if segments.count == 2 { resource = PercentCoding.decode(segments[1]) }
    }

    /// Takes `project:verb` apart.
    private static func split(_ segment: String) -> (name: Substring, verb: String?) {
        let parts = segment.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts[0], parts.count == 2 ? String(parts[1]) : nil)
    }

    // MARK: The interface of before

    /// The verbs of v3, which SDKs for iOS and Android still use, with any method.
    private init?(legacy segments: [String]) {
        guard segments.count == 4, segments.prefix(3) == ["identitytoolkit", "v3", "relyingparty"],
            let found = Self.legacy[segments[3]]
        else { return nil }
        self.init(found)
    }

    private static let legacy: [String: AuthMethod] = [
        "createAuthUri": .createAuthUri, "deleteAccount": .delete, "emailLinkSignin": .signInWithEmailLink,
        "getAccountInfo": .lookup, "getOobConfirmationCode": .sendOobCode, "getProjectConfig": .getProjectConfig,
        "getRecaptchaParam": .getRecaptchaParams, "publicKeys": .getPublicKeys, "resetPassword": .resetPassword,
        "sendVerificationCode": .sendVerificationCode, "setAccountInfo": .update, "setProjectConfig": .unimplemented,
        "signupNewUser": .signUp, "verifyAssertion": .signInWithIdp, "verifyCustomToken": .signInWithCustomToken,
        "verifyPassword": .signInWithPassword, "verifyPhoneNumber": .signInWithPhoneNumber,
        "signOutUser": .unimplemented, "downloadAccount": .batchGet, "uploadAccount": .batchCreate,
    ]

    // MARK: The emulator's own

    private init?(emulator method: HTTPRequest.Method, _ segments: [String]) {
        if segments == ["auth", "accounts"], method == .get {
            self.init(.emulatorListAccountsOfProvider)
            return
        }
        guard segments.first == "v1", segments.count >= 2 else { return nil }
        switch (method, segments[1], segments.count) {
        case (.get, "clock", 2): self.init(.emulatorGetClock)
        case (.patch, "clock", 2): self.init(.emulatorSetClock)
        case (.delete, "clock", 2): self.init(.emulatorResetClock)
        case (.delete, "projects", 2): self.init(.emulatorDeleteProjects)
        case (_, "projects", 4), (_, "projects", 6): self.init(emulatorOfProject: method, segments)
        default: return nil
        }
    }

    private init?(emulatorOfProject method: HTTPRequest.Method, _ segments: [String]) {
        guard let project = PercentCoding.decode(segments[2]), segments.count == 4 || segments[3] == "tenants" else {
            return nil
        }
        let found: AuthMethod? =
            switch (method, segments[segments.count - 1]) {
            case (.delete, "accounts"): .emulatorDeleteAccounts
            case (.get, "config") where segments.count == 4: .emulatorGetConfig
            case (.patch, "config") where segments.count == 4: .emulatorUpdateConfig
            case (.get, "oobCodes"): .emulatorListActionCodes
            case (.get, "verificationCodes"): .emulatorListPhoneCodes
            default: nil
            }
        guard let found else { return nil }
        let tenant = segments.count == 6 ? PercentCoding.decode(segments[4]) : nil
        self.init(found, project: project, tenant: tenant)
    }
}
