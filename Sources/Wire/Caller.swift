// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Who makes a request, as its `Authorization` header says.
package struct Caller: Sendable, Equatable {
    /// Who sends no token.
    package static let anonymous = Self(isAdmin: false, userID: nil, email: nil)
    /// A longer user id is cut to this many bytes.
    package static let userIDByteCountMax = 256

    /// Whether the caller may do everything.
    package let isAdmin: Bool
    /// The user the token speaks for.
    package let userID: String?
    /// The address of the user, or of the service account that issued the token for itself.
    package let email: String?

    private init(isAdmin: Bool, userID: String?, email: String?) {
        self.isAdmin = isAdmin
        self.userID = userID
        self.email = email
    }

    /// Reads a token: `owner` is the administrator of every Firebase emulator, a JSON web token speaks for a user.
    ///
    /// Firestore's SDKs send `Bearer`, Storage's `Firebase` before it. Signatures are not checked, as SDKs send
    /// unsigned tokens to emulators; the user is the claim `user_id` or else `sub`. What is no token is anonymous.
    package init(authorization: String?) {
        let words = authorization?.split(separator: " ") ?? []
        guard words.count == 2, words[0] == "Bearer" || words[0] == "Firebase" else {
            self = .anonymous
            return
        }
        guard words[1] != "owner" else {
            self.init(isAdmin: true, userID: nil, email: nil)
            return
        }
        let claims = Claims(token: words[1])
        self.init(isAdmin: false, userID: Self.cut(claims?.userID ?? claims?.sub), email: Self.cut(claims?.address))
    }

    private static func cut(_ text: String?) -> String? {
        text.map { String(decoding: $0.utf8.prefix(userIDByteCountMax), as: UTF8.self) }
    }
}

/// What a JSON web token says of who it speaks for.
private struct Claims: Decodable {
    var userID: String?
    var sub: String?
    var email: String?
    var iss: String?

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case sub, email, iss
    }

    init?(token: Substring) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Data(base64URLEncoded: parts[1]),
            let claims = try? JSONDecoder().decode(Self.self, from: payload)
        else { return nil }
        self = claims
    }

    /// The e-mail address, which a service account's own tokens have as their issuer.
    var address: String? { email ?? iss.flatMap { $0.contains("@") ? $0 : nil } }
}

extension Data {
    fileprivate init?(base64URLEncoded text: Substring) {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
        self.init(base64Encoded: standard + padding)
    }
}
