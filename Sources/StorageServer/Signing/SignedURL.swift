// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Wire

/// The signature in the query of a signed URL.
///
/// Source: https://cloud.google.com/storage/docs/authentication/signatures (2026-11).
struct SignedURL: Equatable {
    /// The longest life, seven days.
    static let lifetimeMax: Int64 = 604_800
    /// The parameter that holds the signature, in lower case.
    static let signatureName = "x-goog-signature"

    private static let parameters = [
        "x-goog-algorithm", "x-goog-credential", "x-goog-date", "x-goog-expires", "x-goog-signedheaders", signatureName,
    ]

    let algorithm: SigningAlgorithm
    let credential: SigningCredential
    /// When it was signed, as written.
    let date: String
    /// When it was signed, in seconds since the Unix epoch.
    let signedAt: Int64
    /// For how many seconds it is good.
    let lifetime: Int64
    /// The names of the signed header fields.
    let headerNames: [String]
    let signature: [UInt8]

    /// Reads the parameters, whose names are of any case; `nil` for a request that is not signed in its URL.
    init?(_ query: [(name: String, value: String)]) throws(XMLFailure) {
        var values: [String: String] = [:]
        for (name, value) in query.lazy.map({ ($0.name.lowercased(), $0.value) }) where Self.parameters.contains(name) {
            guard values.updateValue(value, forKey: name) == nil else { throw .malformed("\(name) is given twice.") }
        }
        // Every one of them but the date, which is also a header field, makes a URL a signed one.
        guard values.keys.contains(where: { $0 != "x-goog-date" }) else { return nil }
        let texts = Self.parameters.map { values[$0] ?? "" }
        guard let algorithm = SigningAlgorithm(rawValue: texts[0]) else {
            throw .malformed("X-Goog-Algorithm must be GOOG4-RSA-SHA256 or GOOG4-HMAC-SHA256.")
        }
        guard let credential = SigningCredential(texts[1]) else {
            throw .malformed("X-Goog-Credential must be ACCOUNT/DATE/LOCATION/storage/goog4_request.")
        }
        guard let signedAt = UTCTime.seconds(basic: texts[2]), texts[2].hasPrefix("\(credential.day)T") else {
            throw .malformed("X-Goog-Date must be of the form YYYYMMDDTHHMMSSZ, on the day of the credential.")
        }
        guard let lifetime = Int64(texts[3]), (1...Self.lifetimeMax).contains(lifetime) else {
            throw .malformed("X-Goog-Expires must be a number of seconds from 1 to \(Self.lifetimeMax).")
        }
        let headerNames = texts[4].split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        guard headerNames.contains("host"), Set(headerNames).count == headerNames.count else {
            throw .malformed("X-Goog-SignedHeaders must name host, and nothing twice.")
        }
        guard let signature = Hexadecimal.decode(texts[5]), !signature.isEmpty else {
            throw .malformed("X-Goog-Signature must be hexadecimal digits.")
        }
        self.algorithm = algorithm
        self.credential = credential
        self.date = texts[2]
        self.signedAt = signedAt
        self.lifetime = lifetime
        self.headerNames = headerNames
        self.signature = signature
    }

    /// The last second in which it is good.
    var expiresAt: Int64 { signedAt + lifetime }
}

extension XMLFailure {
    fileprivate static func malformed(_ details: String) -> Self {
        Self(
            400,
            code: "AuthorizationQueryParametersError",
            message: "The signature in the query is malformed.",
            details: details
        )
    }
}
