// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOConcurrencyHelpers

/// The nonce of a sign-in: a token has its SHA-256, the call the nonce itself.
///
/// A token with one counts once (recorded against production, September 2026).
struct NonceCheck {
    /// The nonce of the call.
    let nonce: String?
    /// The session that `accounts:createAuthUri` began, whose id is its nonce.
    let session: String?

    /// Checks the token of a call.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - claims: Its claims.
    ///   - used: The tokens that have counted.
    /// - Throws: A refusal.
    func check(_ token: String, _ claims: JSONValue, _ used: UsedTokens) throws(AuthFailure) {
        guard let expected = claims["nonce"]?.string else { return }
        if let session, SHA256.hexadecimal(of: session) == expected { return }
        let given = try require(nonce, "MISSING_OR_INVALID_NONCE : Nonce is missing in the request.")
        let digest = SHA256.hexadecimal(of: token)
        try require(
            !used.contains(digest),
            "MISSING_OR_INVALID_NONCE : Duplicate credential received. Please try again with a new credential."
        )
        try require(
            SHA256.hexadecimal(of: given) == expected,
            #"MISSING_OR_INVALID_NONCE : The nonce in ID Token "\#(expected)" does not match the SHA256 hash of the raw "#
                + #"nonce "\#(given)" in the request."#
        )
        used.insert(digest)
    }
}

/// The tokens that count once, and have counted; in memory.
final class UsedTokens: Sendable {
    private static let countMax = 10_000
    private let digests = NIOLockedValueBox<Set<String>>([])

    func contains(_ digest: String) -> Bool { digests.withLockedValue { $0.contains(digest) } }

    /// Notes a token; all others are forgotten where there are too many.
    func insert(_ digest: String) {
        digests.withLockedValue { digests in
            if digests.count >= Self.countMax { digests = [] }
            digests.insert(digest)
        }
    }
}
