// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdCore
import Wire

/// The signature in the query of a URL signed by the former process, V2; libraries of several languages still sign by it.
///
/// Source: https://cloud.google.com/storage/docs/access-control/signed-urls-v2 (2026-11).
struct LegacySignedURL: Equatable {
    /// Header fields that are sent but, being secret, not signed.
    private static let secretFields = ["x-goog-encryption-key", "x-goog-encryption-key-sha256"]
    private static let parameters = ["GoogleAccessId", "Expires", "Signature"]

    /// Who signed.
    let account: String
    /// The last second in which it is good, since the Unix epoch.
    let expiresAt: Int64
    let signature: [UInt8]

    /// Reads the parameters; `nil` for a request that is not signed in this way.
    init?(_ target: RequestTarget) throws(XMLFailure) {
        guard let account = target["GoogleAccessId"] else { return nil }
        guard let expiresAt = target["Expires"].flatMap({ Int64($0) }) else {
            throw .invalidArgument("Expires must be a number of seconds since 1970.")
        }
        guard let signature = target["Signature"].flatMap({ Data(base64Encoded: $0) }), !signature.isEmpty else {
            throw .invalidArgument("Signature must be base64.")
        }
        self.account = account
        self.expiresAt = expiresAt
        self.signature = Array(signature)
    }

    /// Throws unless the URL is good now, for this method and for these header fields.
    func judge(_ call: StorageCall, keys: SigningKeys, now: Int64) throws(XMLFailure) {
        guard now <= expiresAt else { throw .expired(expiresAt) }
        guard !keys.isEmpty else { return }
        let messages = messages(call)
        guard messages.contains(where: { keys.verify(signature, of: $0, byAccount: account) == true }) else {
            var failure = XMLFailure.signatureDoesNotMatch
            failure.members = [XMLFailure.Member(name: "StringToSign", text: messages[0])]
            throw failure
        }
    }

    /// The texts that may have been signed: libraries differ in whether parameters of the query belong to them.
    private func messages(_ call: StorageCall) -> [String] {
        let fields = call.request.headers
        let head = [
            call.request.method.rawValue, call["Content-MD5"] ?? "", fields[.contentType] ?? "", String(expiresAt), "",
        ].joined(separator: "\n")
        let names = Set(fields.map(\.name.canonicalName)).subtracting(Self.secretFields)
        let extensions = names.filter { $0.hasPrefix("x-goog-") }.sorted()
            .map { "\($0):\(call[$0] ?? "")\n" }
            .joined()
        let query = call.target.query.filter { !Self.parameters.contains($0.name) }
            .map { ($0.name.lowercased(), $0.value) }
            .sorted { $0 < $1 }
            .map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }
            .joined(separator: "&")
        let resource = "\(head)\(extensions)\(call.target.path)"
        return query.isEmpty ? [resource] : [resource, "\(resource)?\(query)"]
    }
}

extension XMLFailure {
    /// In production's words, quoted in a public issue of 2017.
    fileprivate static func expired(_ second: Int64) -> Self {
        Self(
            400,
            code: "ExpiredToken",
            message: "The provided token has expired.",
            details: "Request has expired: \(second)"
        )
    }
}
