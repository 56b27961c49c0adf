// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// An identity provider of OpenID Connect as a project has set it up.
///
/// It checks ID tokens as production does (recorded against production, September 2026), except for their signatures.
struct OpenIDProvider {
    let issuer: String
    let clientID: String

    /// How far the clock of an issuer may be off; an assumption.
    private static let clockSkewSeconds: Int64 = 300

    /// Claims of the token itself, which say nothing of the user that a session would want to know.
    private static let ownClaims: Set<String> = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "azp", "nonce", "email", "email_verified", "name", "picture",
    ]

    init(_ config: JSONValue) {
        issuer = config["issuer"]?.string ?? ""
        clientID = config["clientId"]?.string ?? ""
    }

    /// Reads the claims of a token, which may be JSON.
    ///
    /// - Parameter token: The token.
    /// - Returns: The claims.
    /// - Throws: A refusal of any other text.
    static func claims(_ token: String) throws(AuthFailure) -> JSONValue {
        if let token = JSONWebToken(token) { return token.payload }
        guard let json = try? JSONValue(parsing: Array(token.utf8)), case .object = json else {
            throw .bad("INVALID_IDP_RESPONSE : Unable to parse the ID Token.")
        }
        return json
    }

    /// Checks that a token is of this issuer, for this app, recent, and of a user.
    ///
    /// - Parameters:
    ///   - claims: The claims of the token.
    ///   - seconds: The time.
    /// - Throws: A refusal.
    func check(_ claims: JSONValue, at seconds: Int64) throws(AuthFailure) {
        let given = claims["iss"]?.string ?? ""
        try require(
            given == issuer,
            "INVALID_IDP_RESPONSE : The issuer in ID Token \(given) does not match the expected one in config: \(issuer)."
        )
        let audiences = claims["aud"]?.array?.compactMap(\.string) ?? [claims["aud"]?.string ?? ""]
        try require(
            audiences.contains(clientID),
            "INVALID_IDP_RESPONSE : The audience in ID Token [\(audiences.joined(separator: ", "))] does not match the "
                + "expected audience \(clientID)."
        )
        let issuedAt = claims["iat"]?.integer ?? 0
        let expiresAt = claims["exp"]?.integer ?? 0
        try require(
            issuedAt <= seconds + Self.clockSkewSeconds && seconds - Self.clockSkewSeconds <= expiresAt,
            "INVALID_IDP_RESPONSE : ID Token issued at \(issuedAt) is stale to sign-in."
        )
        try require(
            claims["sub"]?.string?.isEmpty == false,
            "INVALID_IDP_RESPONSE : ID Token does not contain user's identity in 'sub' claim: "
                + String(decoding: claims.encoded, as: UTF8.self)
        )
    }

    /// The claims that tokens of the session repeat; `nil` without any.
    static func attributes(_ claims: JSONValue) -> JSONValue? {
        guard case .object(let members) = claims else { return nil }
        let others = members.filter { !ownClaims.contains($0.key) }
        return others.isEmpty ? nil : .object(others)
    }
}
