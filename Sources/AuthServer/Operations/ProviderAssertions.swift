// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    /// The assertion of a call: in production's profile that of a provider which is set up, and checked.
    func providerAssertion() throws -> ProviderAssertion {
        guard context.profile.isProduction else { return try ProviderAssertion(AssertionParameters(body)) }
        let pending = try body.filled("pendingToken").map { try PendingToken($0, in: scope) }
        let parameters = try AssertionParameters(body, pending: pending)
        let provider = try parameters.provider
        let config = try providerConfig(provider)
        switch ProviderKind(provider) {
        case .openID: return try openIDAssertion(provider, config, parameters)
        case .saml: return try samlAssertion(provider, parameters)
        case .wellKnown: return try wellKnownAssertion(provider, parameters)
        }
    }

    /// The configuration of an identity provider; throws unless it is there and switched on.
    func providerConfig(_ provider: String) throws -> JSONValue {
        let config = try reading { try $0.provider(provider, in: ProviderKind(provider).collection) }
        let found = try require(config, "OPERATION_NOT_ALLOWED : The identity provider configuration is not found.")
        try require(
            found["enabled"]?.boolean == true,
            "OPERATION_NOT_ALLOWED : The identity provider configuration is disabled."
        )
        return found
    }

    private func openIDAssertion(
        _ provider: String,
        _ config: JSONValue,
        _ parameters: AssertionParameters
    ) throws -> ProviderAssertion {
        guard let token = parameters["id_token"] else { throw parameters.withoutCredential }
        let claims = try OpenIDProvider.claims(token)
        if !parameters.isPending {
            try OpenIDProvider(config).check(claims, at: context.clock.seconds)
            let nonce = NonceCheck(nonce: parameters["nonce"], session: try body.filled("sessionId"))
            try nonce.check(token, claims, context.usedTokens)
        }
        var assertion = ProviderAssertion(provider, rawID: claims["sub"]?.string ?? "", claims)
        assertion.rawUserInfo = String(decoding: claims.encoded, as: UTF8.self)
        assertion.attributes = OpenIDProvider.attributes(claims)
        (assertion.idToken, assertion.accessToken) = (token, parameters["access_token"])
        assertion.context = nil
        return named(assertion, parameters)
    }

    private func samlAssertion(
        _ provider: String,
        _ parameters: AssertionParameters
    ) throws -> ProviderAssertion {
        guard let answer = try SAMLAnswer(parameters["SAMLResponse"]) else { throw parameters.withoutCredential }
        var assertion = ProviderAssertion(provider, rawID: answer.nameID, .object([:]))
        assertion.email = answer.email?.lowercased()
        assertion.isEmailVerified = assertion.email != nil
        assertion.attributes = answer.attributes
        assertion.rawUserInfo = answer.attributes.map { String(decoding: $0.encoded, as: UTF8.self) }
        return named(assertion, parameters)
    }

    /// An assertion with the members that those of OpenID Connect and SAML have.
    private func named(_ assertion: ProviderAssertion, _ parameters: AssertionParameters) -> ProviderAssertion {
        var assertion = assertion
        assertion.federatedID = "\(assertion.providerID)/\(assertion.rawID)"
        assertion.pendingToken = PendingToken(parameters, in: scope).text
        return assertion
    }

    private func wellKnownAssertion(
        _ provider: String,
        _ parameters: AssertionParameters
    ) throws -> ProviderAssertion {
        let token = parameters["id_token"]
        guard token != nil || parameters["access_token"] != nil else { throw parameters.withoutCredential }
        if provider == "google.com", let token, !token.hasPrefix("{"), JSONWebToken(token) == nil {
            throw AuthFailure.bad("INVALID_IDP_RESPONSE : Unable to parse Google id_token: \(token)")
        }
        return try ProviderAssertion(parameters)
    }
}
