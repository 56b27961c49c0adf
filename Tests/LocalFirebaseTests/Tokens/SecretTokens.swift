// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog

/// A user whose first ID token has expired, and whose tokens are unmistakable in every form in which they could leak.
final class SecretTokens: FirebaseCredentialProvider {
    static let expired = token(user: "expired", expiry: 1)
    static let valid = token(user: "valid", expiry: 4_000_000_000)
    /// With letters that percent-encoding changes.
    static let appCheck = "app-check+/" + String(repeating: "Zq9?", count: 12) + "=="

    private static let secrets = ["secret-of-expired", "secret-of-valid", expired, valid, appCheck]

    /// The forms to search for: the tokens as they are, percent-encoded, and in base64 at each place in a longer text.
    static let forms: [Data] = secrets.flatMap { secret in
        let percentEncoded = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret
        return [secret, percentEncoded] + (0..<3).flatMap { base64(secret, behind: $0) }
    }.map { Data($0.utf8) }

    /// The tokens in some data, if any.
    static func found(in data: Data) -> [String] {
        forms.filter { data.range(of: $0) != nil }.map { String(decoding: $0, as: UTF8.self) }
    }

    private let isRefreshed = Locked(false)

    func credentials(forcingRefresh: Bool) async throws -> FirebaseCredentials {
        let isRefreshed = isRefreshed.withLock { isRefreshed in
            isRefreshed = isRefreshed || forcingRefresh
            return isRefreshed
        }
        return FirebaseCredentials(idToken: isRefreshed ? Self.valid : Self.expired, appCheckToken: Self.appCheck)
    }

    /// An unsigned token, as Firebase Authentication's emulator makes them.
    private static func token(user: String, expiry: Int) -> String {
        let claims = #"{"user_id":"ada","exp":\#(expiry),"jti":"secret-of-\#(user)"}"#
        return [#"{"alg":"none","typ":"JWT"}"#, claims].map { urlSafe(Data($0.utf8).base64EncodedString()) + "." }
            .joined()
    }

    /// The letters of base64 that a secret alone determines, when `count` bytes are before it.
    private static func base64(_ secret: String, behind count: Int) -> [String] {
        let bytes = Data(repeating: 0, count: count) + Data(secret.utf8)
        let whole = bytes.prefix(bytes.count / 3 * 3).base64EncodedString().dropFirst(count == 0 ? 0 : 4)
        return [String(whole), urlSafe(String(whole))]
    }

    private static func urlSafe(_ base64: String) -> String {
        base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
