// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How a request is signed.
enum SigningAlgorithm: String {
    case rsa = "GOOG4-RSA-SHA256"
    case hmac = "GOOG4-HMAC-SHA256"
}

/// Who signed, and for what: `ACCOUNT/DATE/LOCATION/SERVICE/goog4_request`.
struct SigningCredential: Equatable {
    private static let terminator = "goog4_request"

    /// The e-mail address of a service account, or the access id of an HMAC key.
    let account: String
    /// The day, as `20190201`.
    let day: String
    private let location: String
    private let service: String

    /// Returns `nil` for a text of any other form.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts.allSatisfy({ !$0.isEmpty }), parts[4] == Self.terminator else { return nil }
        account = parts[0]
        day = parts[1]
        location = parts[2]
        service = parts[3]
    }

    /// The conditions of the signature.
    var scope: String { "\(day)/\(location)/\(service)/\(Self.terminator)" }

    /// The key of HMAC signatures: made of the secret, and good for the scope alone.
    ///
    /// Source: https://cloud.google.com/storage/docs/authentication/signatures#derive-key (2026-11).
    func key(from secret: [UInt8]) -> [UInt8] {
        [day, location, service, Self.terminator].reduce(Array("GOOG4".utf8) + secret) { key, part in
            MessageDigest.hmac(key: key, of: Array(part.utf8))
        }
    }
}
