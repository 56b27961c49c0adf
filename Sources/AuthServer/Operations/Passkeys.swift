// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Foundation
import JSON

/// Passkeys, without their cryptography: whatever an authenticator would sign is taken.
extension AuthOperations {
    /// `passkeyEnrollment:start`.
    func startPasskeyEnrollment() throws -> JSONText {
        _ = try enabledSettings()
        let user = try reading { try require(try bearer($0), "MISSING_ID_TOKEN").account }
        let keys: [JSONText] = [-7, -257].map { .object([("type", "public-key"), ("alg", .integer($0))]) }
        let options: [(String, JSONText)] = [
            ("rp", .object([("name", "localhost"), ("id", "localhost")])),
            (
                "user",
                .object([
                    ("id", .string(Data(user.localID.utf8).base64EncodedString())),
                    ("name", .string(user.email ?? "user@example.com")),
                    ("displayName", .string(user.displayName ?? "User")),
                ])
            ),
            ("challenge", .string(newChallenge)), ("pubKeyCredParams", .array(keys)), ("timeout", 60_000),
            ("attestation", "none"),
        ]
        return .object([("credentialCreationOptions", .object(options))])
    }

    private var newChallenge: String { Data(context.random.id(32).utf8).base64EncodedString() }

    /// `passkeyEnrollment:finalize`.
    func finalizePasskeyEnrollment() throws -> JSONText {
        _ = try enabledSettings()
        return try writing { transaction in
            try require(try body.filled("idToken") != nil, "MISSING_ID_TOKEN")
            let credential = try credential(in: "authenticatorRegistrationResponse")
            let former = try require(try bearer(transaction), "MISSING_ID_TOKEN").account
            let id = try require(credential, "INVALID_CREDENTIAL_ID")
            try require(try transaction.account(passkey: id) == nil, "CREDENTIAL_ALREADY_IN_USE")
            let name = try body.filled("name") ?? body.filled("displayName") ?? "Unnamed Passkey"
            var account = former
            account.passkeys = (account.passkeys ?? []) + [Passkey(credentialID: id, name: name)]
            account.updateProviders()
            let tokens = tokens(&account, SignInFacts(provider: ProviderName.passkey))
            try transaction.save(account, replacing: former)
            return .object([("localId", .string(account.localID))] + tokens.filter { $0.0 != "expiresIn" })
        }
    }

    /// `passkeySignIn:start`.
    func startPasskeySignIn() throws -> JSONText {
        _ = try enabledSettings()
        let options: [(String, JSONText)] = [
            ("challenge", .string(newChallenge)), ("rpId", "localhost"), ("userVerification", "required"),
        ]
        return .object([("credentialRequestOptions", .object(options))])
    }

    /// `passkeySignIn:finalize`.
    func finalizePasskeySignIn() throws -> JSONText {
        _ = try enabledSettings()
        let credential = try credential(in: "authenticatorAuthenticationResponse")
        let id = try require(credential, "INVALID_CREDENTIAL_ID")
        return try writing { transaction in
            let former = try require(try transaction.account(passkey: id), "PASSKEY_CREDENTIAL_NOT_FOUND")
            try require(former.isDisabled != true, "USER_DISABLED")
            var account = former
            noteSignIn(of: &account, by: ProviderName.passkey, isFirst: false)
            account.updateProviders()
            let tokens = tokens(&account, SignInFacts(provider: ProviderName.passkey))
            try transaction.save(account, replacing: former)
            return .object(tokens.filter { $0.0 != "expiresIn" })
        }
    }

    /// The id of the credential in an authenticator's answer.
    private func credential(in name: String) throws(AuthFailure) -> String? {
        guard let response = try body.object(name) else { throw .bad("MISSING_AUTHENTICATOR_RESPONSE") }
        return try response.filled("id")
    }
}
