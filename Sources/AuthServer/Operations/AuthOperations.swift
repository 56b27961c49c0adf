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
            try require(!settings.isDisabled, context.profile.isProduction ? "TENANT_DISABLED" : "PROJECT_DISABLED")
            return settings
        } catch let failure as AuthFailure where failure == .unknownTenant {
            let wasThere = try !context.profile.isProduction || context.store.isRemoved(scope)
            throw AuthFailure.bad(wasThere ? "TENANT_DELETED" : "INVALID_TENANT_ID")
        }
    }

    func reading<Value>(_ body: (AccountTransaction) throws -> Value) throws -> Value {
        try context.store.reading(scope, body)
    }

    func writing<Value>(_ body: (AccountTransaction) throws -> Value) throws -> Value {
        try context.store.writing(scope, body)
    }

    /// An id that no user has.
    func newLocalID(_ transaction: AccountTransaction) throws -> String {
        while true {
            let id = context.random.id(28)
            if try transaction.account(id: id) == nil { return id }
        }
    }
}
