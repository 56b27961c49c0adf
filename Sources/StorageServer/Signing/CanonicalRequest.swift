// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Wire

/// A request in the one form that both sides of a signature agree on.
///
/// Source: https://cloud.google.com/storage/docs/authentication/canonical-requests (2026-11).
struct CanonicalRequest: Equatable {
    /// The placeholder for the hash of an unsigned body.
    static let unsignedPayload = "UNSIGNED-PAYLOAD"

    /// The form.
    let text: String

    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, percent-coded.
    ///   - query: The names and values, decoded; the signature among them is left out.
    ///   - headers: The signed header fields in the order of the list in the request, with lower-case names.
    ///   - payload: The hash of the body, or that it is not signed.
    init(
        method: String,
        path: String,
        query: [(name: String, value: String)],
        headers: [(name: String, value: String)],
        payload: String
    ) {
        let lines = headers.map { "\($0.name):\(Self.collapsed($0.value))\n" }.joined()
        let names = headers.map(\.name).joined(separator: ";")
        text = [method, path, Self.query(query), lines, names, payload].joined(separator: "\n")
    }

    /// The text that is signed.
    func stringToSign(_ algorithm: SigningAlgorithm, date: String, scope: String) -> String {
        let hash = Hexadecimal.encode(MessageDigest.sha256(Array(text.utf8)))
        return [algorithm.rawValue, date, scope, hash].joined(separator: "\n")
    }

    private static func query(_ query: [(name: String, value: String)]) -> String {
        query.filter { $0.name.lowercased() != SignedURL.signatureName }
            .map { (PercentCoding.encode($0.name), PercentCoding.encode($0.value)) }
            // By name, and those of one name by value; both are ASCII by now.
            .sorted { $0 < $1 }
            .map { "\($0)=\($1)" }
            .joined(separator: "&")
    }

    /// The value without spaces around it, and with one where there are several.
    private static func collapsed(_ value: String) -> String {
        value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }
}
