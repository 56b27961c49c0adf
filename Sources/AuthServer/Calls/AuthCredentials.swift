// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Wire

/// The right by which a call is made.
enum AuthCredentials {
    /// An administrator's access token.
    case administrator
    /// An API key, which any text is.
    case key
    case none

    private static let scheme = "bearer "
    /// The beginning of the access tokens of Google's service accounts.
    private static let accessTokenPrefix = "ya29."

    /// Reads the credentials; throws for a bearer that is none.
    init(_ head: HTTPRequest, _ target: RequestTarget) throws(AuthFailure) {
        if let header = head.headerFields[.authorization], header.lowercased().hasPrefix(Self.scheme) {
            let token = header.dropFirst(Self.scheme.count)
            guard token.lowercased() == "owner" || token.hasPrefix(Self.accessTokenPrefix) else {
                throw .invalidCredentials
            }
            self = .administrator
        } else if let key = target["key"] ?? Self.keyName.flatMap({ head.headerFields[$0] }), !key.isEmpty {
            self = .key
        } else {
            self = .none
        }
    }

    private static let keyName = HTTPField.Name("x-goog-api-key")
}
