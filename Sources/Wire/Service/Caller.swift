// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
package import JSON

/// The user or administrator that makes a request, by its `Authorization` header.
package struct Caller: Sendable, Equatable {
    /// A caller without a token.
    package static let anonymous = Self(isAdmin: false, claims: [:])
    /// A longer user id is cut to this many bytes.
    static let userIDByteCountMax = 256

    private let token: Token

    /// Whether the caller may do everything.
    package var isAdmin: Bool { token.isAdmin }
    /// All claims of the token; empty without one.
    package var claims: [String: JSONValue] { token.claims }
    /// The user: the claim `user_id`, or else `sub`.
    package var userID: String? { token.userID }
    /// The claim `sub`.
    package var subject: String? { token.subject }
    /// The address of the user, or of the service account that issued the token for itself.
    package var email: String? { token.email }
    /// The token as it was read once: copies of a caller have one, whatever an equal caller has.
    package var identity: AnyObject { token }

    private init(isAdmin: Bool, claims: [String: JSONValue]) { token = Token(isAdmin: isAdmin, claims: claims) }

    package static func == (left: Self, right: Self) -> Bool {
        left.token === right.token || (left.isAdmin == right.isAdmin && left.claims == right.claims)
    }

    /// Reads a token: `owner` is the administrator of every Firebase emulator, a JSON web token is a user's.
    ///
    /// Firestore's SDKs send `Bearer`, Storage's `Firebase` before it. Signatures are not checked, as SDKs send
    /// unsigned tokens to emulators. Anything that is not a token is anonymous.
    package init(authorization: String?) {
        let words = authorization?.split(separator: " ") ?? []
        guard words.count == 2, words[0] == "Bearer" || words[0] == "Firebase" else {
            self = .anonymous
            return
        }
        guard words[1] != "owner" else {
            self.init(isAdmin: true, claims: [:])
            return
        }
        self.init(isAdmin: false, claims: Self.claims(of: words[1]) ?? [:])
    }

    /// Returns a token's claims; `nil` for anything that is not a token, and for names that are not texts.
    private static func claims(of token: Substring) -> [String: JSONValue]? {
        // The signature is not verified, as in the official emulators: tests make tokens of their own.
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Data(webSafeBase64: parts[1]),
            case .object(let claims)? = try? JSONValue(parsing: Array(payload)),
            ["user_id", "sub", "email", "iss"].allSatisfy({ claims[$0] == nil || claims[$0]?.string != nil })
        else { return nil }
        return claims
    }
}

/// The claims of a token, read once.
private final class Token: Sendable {
    let isAdmin: Bool
    let claims: [String: JSONValue]
    let userID: String?
    let subject: String?
    let email: String?

    init(isAdmin: Bool, claims: [String: JSONValue]) {
        (self.isAdmin, self.claims) = (isAdmin, claims)
        subject = claims["sub"]?.string
        userID = Self.cut(claims["user_id"]?.string ?? subject)
        // A service account's own tokens have its address as their issuer.
        let issuer = claims["iss"]?.string.flatMap { $0.contains("@") ? $0 : nil }
        email = Self.cut(claims["email"]?.string ?? issuer)
    }

    private static func cut(_ text: String?) -> String? {
        text.map { String(decoding: $0.utf8.prefix(Caller.userIDByteCountMax), as: UTF8.self) }
    }
}
