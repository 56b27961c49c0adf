// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

extension AuthOperations {
    /// `accounts:createAuthUri` with a provider: the address to which the app sends its user.
    ///
    /// - Parameters:
    ///   - provider: The id of the provider.
    ///   - session: The id of the session.
    /// - Returns: The answer.
    /// - Throws: A refusal.
    func authURI(of provider: String, session: String) throws -> JSONText {
        let uri = try require(try body.filled("continueUri"), "MISSING_CONTINUE_URI")
        try require(AbsoluteURL.isOne(uri), "INVALID_CONTINUE_URI")
        let request = AuthenticationRequest(
            config: try providerConfig(provider),
            continueURI: uri,
            session: session,
            state: context.random.code(43)
        )
        let id = SHA256.hexadecimal(of: context.random.code(43))
        let address =
            switch ProviderKind(provider) {
            case .openID: request.openIDAddress
            case .saml: request.samlAddress(id: id, at: context.clock.milliseconds)
            case .wellKnown:
                throw AuthFailure.notImplemented("The address of \(provider) is not implemented by Firemeter.")
            }
        return .object(compacting: [
            ("kind", "identitytoolkit#CreateAuthUriResponse"), ("authUri", address.map(JSONText.string)),
            ("providerId", .string(provider)), ("sessionId", .string(session)),
        ])
    }
}
