// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Basics
import Foundation
import JSON

/// The token by which a client asks for ID tokens.
///
/// It holds all that it means, as the official emulator's does, so that it outlives a restart whose import brings the user
/// back. Clients must not care; the official emulator's test cases read and write it.
struct RefreshToken {
    let localID: String
    let facts: SignInFacts
    let scope: AccountScope
    /// Seconds since the Unix epoch; `nil` in tokens of the official emulator.
    let issuedAt: Int64?

    var text: String {
        let factor = facts.secondFactor.map { factor in
            JSONText.object([("identifier", .string(factor.id)), ("provider", .string(factor.kind))])
        }
        let json = JSONText.object(compacting: [
            ("_AuthEmulatorRefreshToken", "DO NOT MODIFY"), ("localId", .string(localID)),
            ("provider", .string(facts.provider)), ("extraClaims", JSONText(.object(facts.claims))),
            ("projectId", .string(scope.project)), ("secondFactor", factor),
            ("tenantId", scope.tenant.map(JSONText.string)), ("issuedAt", issuedAt.map(JSONText.integer)),
            ("authTime", facts.authTime.map(JSONText.integer)),
            ("signInAttributes", facts.attributes.map(JSONText.init)),
        ])
        return Data(json.rendered(isIndented: false).utf8).base64EncodedString()
    }

    init(localID: String, facts: SignInFacts, scope: AccountScope, issuedAt: Int64?) {
        (self.localID, self.facts, self.scope, self.issuedAt) = (localID, facts, scope, issuedAt)
    }

    /// Throws `INVALID_REFRESH_TOKEN` for any other text.
    init(_ text: String) throws(AuthFailure) {
        guard let bytes = Data(webSafeBase64: text), let json = try? JSONValue(parsing: Array(bytes)),
            json["_AuthEmulatorRefreshToken"]?.string?.isEmpty == false, let localID = json["localId"]?.string,
            let provider = json["provider"]?.string, let project = json["projectId"]?.string
        else { throw .bad("INVALID_REFRESH_TOKEN") }
        self.localID = localID
        var facts = SignInFacts(provider: provider)
        if case .object(let claims)? = json["extraClaims"] { facts.claims = claims }
        if let id = json["secondFactor"]?["identifier"]?.string, let kind = json["secondFactor"]?["provider"]?.string {
            facts.secondFactor = (id, kind)
        }
        facts.authTime = json["authTime"]?.integer
        facts.attributes = json["signInAttributes"]
        self.facts = facts
        scope = AccountScope(project: project, tenant: json["tenantId"]?.string)
        issuedAt = json["issuedAt"]?.integer
    }
}

/// The credential of a user who has signed in with a first factor, and needs a second one.
struct PendingCredential {
    let localID: String
    let provider: String
    let scope: AccountScope
    /// Seconds since the Unix epoch; `nil` in credentials of the official emulator.
    let issuedAt: Int64?

    private static let brokenMessage = "((Invalid phoneVerificationInfo.mfaPendingCredential.))"
    /// How long a code of an authenticator app may be shown (recorded against production, September 2026).
    private static let appSeconds: Int64 = 300
    /// How long a code may be sent to a phone (recorded against production, September 2026).
    private static let phoneSeconds: Int64 = 600

    var text: String {
        let json = JSONText.object(compacting: [
            ("_AuthEmulatorMfaPendingCredential", "DO NOT MODIFY"), ("localId", .string(localID)),
            ("signInProvider", .string(provider)), ("projectId", .string(scope.project)),
            ("tenantId", scope.tenant.map(JSONText.string)), ("issuedAt", issuedAt.map(JSONText.integer)),
        ])
        return Data(json.rendered(isIndented: false).utf8).base64EncodedString()
    }

    init(localID: String, provider: String, scope: AccountScope, issuedAt: Int64?) {
        (self.localID, self.provider, self.scope, self.issuedAt) = (localID, provider, scope, issuedAt)
    }

    /// Throws where a credential is too old for the second factor, as in production.
    func requireFresh(at seconds: Int64, isApp: Bool) throws(AuthFailure) {
        try require(
            issuedAt ?? seconds > seconds - (isApp ? Self.appSeconds : Self.phoneSeconds),
            isApp
                ? "TOTP_CHALLENGE_TIMEOUT : TOTP challenge timeout, provide first factor again."
                : "INVALID_MFA_PENDING_CREDENTIAL : MFA pending credential is expired."
        )
    }

    /// Throws for any other text, and for the credential of another project or tenant.
    init(_ text: String, in scope: AccountScope, brokenMessage: String?) throws(AuthFailure) {
        guard let bytes = Data(webSafeBase64: text), let json = try? JSONValue(parsing: Array(bytes)),
            json["_AuthEmulatorMfaPendingCredential"]?.string?.isEmpty == false,
            let localID = json["localId"]?.string, let provider = json["signInProvider"]?.string
        else { throw .bad(brokenMessage ?? Self.brokenMessage) }
        let tenant = json["tenantId"]?.string
        try require(
            json["projectId"]?.string == scope.project && (scope.tenant == nil || tenant == scope.tenant),
            "INVALID_PROJECT_ID : Project ID does not match MFA pending credential."
        )
        (self.localID, self.provider, self.scope) = (localID, provider, scope)
        issuedAt = json["issuedAt"]?.integer
    }
}
