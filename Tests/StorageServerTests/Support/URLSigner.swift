// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import CLibCrypto
import Foundation

@testable import StorageServer

/// Signs URLs and forms as Google's client libraries do.
struct URLSigner: Sendable {
    static let account = "signer@demo.iam.gserviceaccount.com"

    /// An RSA key made for the test, so that none need be kept in the source.
    private final class KeyPair: @unchecked Sendable {
        // Unchecked: the pointer is never changed, and signing only reads the key.
        let key: OpaquePointer

        init() throws {
            let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil)
            defer { EVP_PKEY_CTX_free(context) }
            var key: OpaquePointer?
            guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_keygen(context, &key) == 1, let key else {
                throw CocoaError(.featureUnsupported)
            }
            self.key = key
        }

        deinit { EVP_PKEY_free(key) }

        func sign(_ message: String) -> [UInt8] {
            let context = EVP_MD_CTX_new()
            defer { EVP_MD_CTX_free(context) }
            let bytes = Array(message.utf8)
            var signature = [UInt8](repeating: 0, count: 1_024)
            var count = signature.count
            EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key)
            EVP_DigestSign(context, &signature, &count, bytes, bytes.count)
            return Array(signature[..<count])
        }

        func pem(
            _ label: String,
            _ encode: (OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt
        )
            -> String
        {
            var start: UnsafeMutablePointer<UInt8>?
            let count = Int(encode(key, &start))
            let der = Data((0..<count).compactMap { start?[$0] })
            let lines = der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            return "-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----\n"
        }
    }

    private let pair: KeyPair?
    private let secret: String?

    /// A signer with the key of a service account.
    static func serviceAccount() throws -> Self { Self(pair: try KeyPair(), secret: nil) }

    /// A signer with the secret of an HMAC key.
    static func hmac(secret: String) -> Self { Self(pair: nil, secret: secret) }

    var algorithm: String { pair == nil ? "GOOG4-HMAC-SHA256" : "GOOG4-RSA-SHA256" }
    var privateKey: String { pair?.pem("RSA PRIVATE KEY") { i2d_PrivateKey($0, $1) } ?? "" }
    var publicKey: String { pair?.pem("PUBLIC KEY") { i2d_PUBKEY($0, $1) } ?? "" }

    /// The keys by which a server judges what is signed here.
    func keys() throws -> SigningKeys {
        var keys = SigningKeys()
        if let secret {
            keys.addSecret(secret, for: Self.account)
        } else {
            try keys.addKey(pem: publicKey, for: Self.account)
        }
        return keys
    }

    func sign(_ message: String, day: String) -> String {
        if let pair { return Hexadecimal.encode(pair.sign(message)) }
        let key = [day, "auto", "storage", "goog4_request"].reduce(Array("GOOG4\(secret ?? "")".utf8)) {
            MessageDigest.hmac(key: $0, of: Array($1.utf8))
        }
        return Hexadecimal.encode(MessageDigest.hmac(key: key, of: Array(message.utf8)))
    }
}

extension URLSigner {
    /// The string to sign.
    struct Requested {
        var method = "GET"
        var path = "/bkt/docs/a.txt"
        var host = "emulator.test:9199"
        /// Sorted pairs, coded.
        var query = ""
        /// Sorted names in lower case, and values.
        var headers: [(name: String, value: String)] = []
        var date = "20260930T172604Z"
        var lifetime = "600"
    }

    /// The path and the query of a signed URL.
    func target(_ requested: Requested) -> String {
        let day = String(requested.date.prefix(8))
        let headers = ([("host", requested.host)] + requested.headers.map { ($0.name, $0.value) }).sorted {
            $0.0 < $1.0
        }
        let names = headers.map(\.0).joined(separator: ";")
        let scope = "\(day)/auto/storage/goog4_request"
        let account = Self.account.replacing("@", with: "%40")
        var query = [
            "X-Goog-Algorithm=\(algorithm)",
            "X-Goog-Credential=\(account)%2F\(scope.replacing("/", with: "%2F"))",
            "X-Goog-Date=\(requested.date)", "X-Goog-Expires=\(requested.lifetime)",
            "X-Goog-SignedHeaders=\(names.replacing(";", with: "%3B"))",
        ].joined(separator: "&")
        if !requested.query.isEmpty { query += "&\(requested.query)" }
        let lines = headers.map { "\($0.0):\($0.1)\n" }.joined()
        let canonical = [requested.method, requested.path, query, lines, names, "UNSIGNED-PAYLOAD"].joined(
            separator: "\n"
        )
        let hash = Hexadecimal.encode(MessageDigest.sha256(Array(canonical.utf8)))
        let signature = sign([algorithm, requested.date, scope, hash].joined(separator: "\n"), day: day)
        return "\(requested.path)?\(query)&X-Goog-Signature=\(signature)"
    }
}
