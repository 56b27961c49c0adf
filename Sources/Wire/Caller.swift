// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Who makes a request, as its `Authorization` header says.
package struct Caller: Sendable, Equatable {
    /// Who sends no token.
    package static let anonymous = Self(isAdmin: false, userID: nil)
    /// A longer user id is cut to this many bytes.
    package static let userIDByteCountMax = 256

    /// Whether the caller may do everything.
    package let isAdmin: Bool
    /// The user the token speaks for.
    package let userID: String?

    private init(isAdmin: Bool, userID: String?) {
        self.isAdmin = isAdmin
        self.userID = userID
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
        let isAdmin = words[1] == "owner"
        self.init(isAdmin: isAdmin, userID: isAdmin ? nil : Self.user(of: words[1]))
    }

    private struct Claims: Decodable {
        var userID: String?
        var sub: String?

        enum CodingKeys: String, CodingKey {
            case userID = "user_id"
            case sub
        }
    }

    private static func user(of token: Substring) -> String? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Data(base64URLEncoded: parts[1]),
            let claims = try? JSONDecoder().decode(Claims.self, from: payload),
            let user = claims.userID ?? claims.sub
        else { return nil }
        return String(decoding: user.utf8.prefix(userIDByteCountMax), as: UTF8.self)
    }
}

extension Data {
    fileprivate init?(base64URLEncoded text: Substring) {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
        self.init(base64Encoded: standard + padding)
    }
}
