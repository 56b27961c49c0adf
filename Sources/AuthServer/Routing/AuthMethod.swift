// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The methods of the server, by the names of Google's API.
enum AuthMethod: String, CaseIterable, Sendable {
    // Of users.
    case signUp
    case signInWithPassword
    case signInWithCustomToken
    case signInWithEmailLink
    case signInWithIdp
    case signInWithPhoneNumber
    case sendVerificationCode
    case sendOobCode
    case resetPassword
    case createAuthUri
    case update
    case lookup
    case delete
    case token
    case startEnrollment
    case finalizeEnrollment
    case withdrawEnrollment
    case startSignIn
    case finalizeSignIn
    case startPasskeyEnrollment
    case finalizePasskeyEnrollment
    case startPasskeySignIn
    case finalizePasskeySignIn
    // Of projects.
    case getProjectConfig
    case getRecaptchaParams
    case getRecaptchaConfig
    case getPasswordPolicy
    case getPublicKeys
    case createSessionCookie
    case query
    case batchCreate
    case batchDelete
    case batchGet
    case getConfig
    case updateConfig
    case createTenant
    case listTenants
    case getTenant
    case updateTenant
    case deleteTenant
    case createProvider
    case listProviders
    case getProvider
    case updateProvider
    case deleteProvider
    case listDefaultProviders
    // Of the emulator.
    case emulatorDeleteAccounts
    case emulatorDeleteProjects
    case emulatorGetConfig
    case emulatorUpdateConfig
    case emulatorListActionCodes
    case emulatorListPhoneCodes
    case emulatorGetClock
    case emulatorSetClock
    case emulatorResetClock
    case emulatorListAccountsOfProvider
    // Known, and not served.
    case unimplemented

    /// Whether a key or a credential must be given.
    var needsCredentials: Bool { !rawValue.hasPrefix("emulator") }

    /// The name in usage records.
    var operation: String {
        let words = needsCredentials ? rawValue : "emulator." + rawValue.dropFirst("emulator".count).lowercasingFirst
        return "auth.\(words)"
    }
}

extension Substring {
    fileprivate var lowercasingFirst: String { (first?.lowercased() ?? "") + dropFirst() }
}
