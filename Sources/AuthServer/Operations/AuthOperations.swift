// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON
import Wire

/// The methods of the API, for one call.
struct AuthOperations {
    let context: AuthContext
    let call: AuthCall

    init(_ context: AuthContext, _ call: AuthCall) { (self.context, self.call) = (context, call) }

    var body: AuthBody { call.body }
    var scope: AccountScope { call.scope }

    func answer() async throws -> JSONText {
        switch call.route.method {
        case .signUp: try await signUp()
        case .signInWithPassword: try await signInWithPassword()
        case .signInWithCustomToken: try signInWithCustomToken()
        case .signInWithEmailLink: try await signInWithEmailLink()
        case .signInWithIdp: try await signInWithIdp()
        case .signInWithPhoneNumber: try await signInWithPhoneNumber()
        case .sendVerificationCode: try sendVerificationCode()
        case .sendOobCode: try sendOobCode()
        case .resetPassword: try resetPassword()
        case .createAuthUri: try createAuthUri()
        case .update: try update()
        case .lookup: try lookup()
        case .delete: try delete()
        case .token: try grantToken()
        case .startEnrollment: try startEnrollment()
        case .finalizeEnrollment: try finalizeEnrollment()
        case .withdrawEnrollment: try withdrawEnrollment()
        case .startSignIn: try startSecondFactor()
        case .finalizeSignIn: try await finalizeSecondFactor()
        case .startPasskeyEnrollment: try startPasskeyEnrollment()
        case .finalizePasskeyEnrollment: try finalizePasskeyEnrollment()
        case .startPasskeySignIn: try startPasskeySignIn()
        case .finalizePasskeySignIn: try finalizePasskeySignIn()
        case .createSessionCookie: try createSessionCookie()
        case .query: try query()
        case .batchCreate: try batchCreate()
        case .batchDelete: try batchDelete()
        case .batchGet: try batchGet()
        case .unimplemented: throw AuthFailure.notImplemented("\(call.target.path) is not implemented by Firemeter.")
        default: try answerOfProject()
        }
    }

    private func answerOfProject() throws -> JSONText {
        switch call.route.method {
        case .getProjectConfig: try projectConfig()
        case .getRecaptchaParams: try recaptchaParams()
        case .getRecaptchaConfig: try recaptchaConfig()
        case .getPasswordPolicy: try enabledSettings().passwordPolicy.json
        case .getPublicKeys: .object([])
        case .getConfig: try config()
        case .updateConfig: try updateConfig()
        case .createTenant: try createTenant()
        case .listTenants: try listTenants()
        case .getTenant: try tenant()
        case .updateTenant: try updateTenant()
        case .deleteTenant: try deleteTenant()
        case .createProvider: try createProvider()
        case .listProviders: try listProviders()
        case .getProvider: try provider()
        case .updateProvider: try updateProvider()
        case .deleteProvider: try deleteProvider()
        case .listDefaultProviders: ProviderConfigs.defaultProviders
        case .emulatorDeleteAccounts: try deleteAllAccounts()
        case .emulatorDeleteProjects: try deleteAllProjects()
        case .emulatorGetConfig: try emulatorConfig()
        case .emulatorUpdateConfig: try updateEmulatorConfig()
        case .emulatorListActionCodes: try actionCodes()
        case .emulatorListPhoneCodes: try phoneCodes()
        case .emulatorGetClock: clockState
        case .emulatorSetClock: try setClock()
        case .emulatorResetClock: resetClock()
        case .emulatorListAccountsOfProvider: try accountsOfProvider()
        default: throw AuthFailure.notFound
        }
    }

    // MARK: What methods share

    /// The settings; throws for a tenant that is switched off.
    func enabledSettings() throws -> AuthSettings {
        do {
            let settings = try context.settings.settings(of: scope)
            try require(!settings.isDisabled, "PROJECT_DISABLED")
            return settings
        } catch let failure as AuthFailure where failure == .unknownTenant {
            throw AuthFailure.bad(context.profile.isProduction ? "INVALID_TENANT_ID" : "TENANT_DELETED")
        }
    }

    func reading<Value>(_ body: (AccountTransaction) throws -> Value) throws -> Value {
        try context.store.reading(scope, body)
    }

    func writing<Value>(_ body: (AccountTransaction) throws -> Value) throws -> Value {
        try context.store.writing(scope, body)
    }

    /// The user of an ID token, as it is read.
    struct Bearer {
        let account: Account
        let provider: String
        let token: JSONValue
    }

    /// Returns the user of the call's ID token; `nil` where it has none.
    func bearer(_ transaction: AccountTransaction) throws -> Bearer? {
        guard let text = try body.filled("idToken") else { return nil }
        return try bearer(of: text, transaction)
    }

    /// Returns the user of an ID token.
    func bearer(of text: String, _ transaction: AccountTransaction) throws -> Bearer {
        guard let token = JSONWebToken(text), let id = token.payload["user_id"]?.string,
            let firebase = token.payload["firebase"], let provider = firebase["sign_in_provider"]?.string,
            let issuedAt = token.payload["iat"]?.integer
        else { throw AuthFailure.bad("INVALID_ID_TOKEN") }
        if token.algorithm != "none" {
            context.onWarning("An ID token with a signature was taken; signatures are not checked.")
        }
        if let tenant = firebase["tenant"]?.string {
            try require(scope.tenant != nil, "((Parsed token that belongs to tenant in a non-tenant project.))")
            try require(tenant == scope.tenant, "TENANT_ID_MISMATCH")
        }
        let account = try require(try transaction.account(id: id), "USER_NOT_FOUND")
        try require(issuedAt >= account.validSince ?? issuedAt, "TOKEN_EXPIRED")
        if context.profile.isProduction {
            try require(context.clock.seconds < token.payload["exp"]?.integer ?? .max, "TOKEN_EXPIRED")
        }
        try require(account.isDisabled != true, "USER_DISABLED")
        return Bearer(account: account, provider: provider, token: token.payload)
    }

    /// The time after a sign-in in which users may change what others could take them over by
    /// (firebase.google.com/docs/auth/web/manage-users, "Re-authenticate a user", 2026-11, says "recently"; production's
    /// message comes after five minutes).
    private static let recentSeconds: Int64 = 300

    /// Throws where a user has to sign in again first, as in production.
    func requireRecentSignIn(_ transaction: AccountTransaction) throws {
        guard context.profile.isProduction, !call.isPrivileged, let user = try bearer(transaction) else { return }
        let signedInAt = user.token["auth_time"]?.integer ?? 0
        try require(context.clock.seconds - signedInAt <= Self.recentSeconds, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    }

    /// Makes the tokens of a user, who is refreshed by that.
    func tokens(_ account: inout Account, _ facts: SignInFacts) -> [(String, JSONText)] {
        let clock = context.clock
        account.lastRefreshAt = clock.milliseconds
        let token = IDToken.make(of: account, facts, in: scope, at: clock.seconds)
        let refresh = RefreshToken(localID: account.localID, facts: facts, scope: scope, issuedAt: clock.seconds)
        return [
            ("idToken", .string(token)), ("refreshToken", .string(refresh.text)),
            ("expiresIn", .string(String(IDToken.lifetimeSeconds))),
        ]
    }

    /// An id that no user has.
    func newLocalID(_ transaction: AccountTransaction) throws -> String {
        while true {
            let id = context.random.id(28)
            if try transaction.account(id: id) == nil { return id }
        }
    }
}
