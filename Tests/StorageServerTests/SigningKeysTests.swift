// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import Testing

@testable import StorageServer

struct SigningKeysTests {
    static func credential() throws -> SigningCredential {
        try #require(SigningCredential("\(URLSigner.account)/20260930/auto/storage/goog4_request"))
    }

    @Test func `reads a service account's file, a private key and a public one`() throws {
        let signer = try URLSigner.serviceAccount()
        let file = ["client_email": URLSigner.account, "private_key": signer.privateKey, "type": "service_account"]
        var keys = [SigningKeys(), SigningKeys(), SigningKeys()]
        try keys[0].addServiceAccount(json: Array(JSONSerialization.data(withJSONObject: file)))
        try keys[1].addKey(pem: signer.privateKey, for: URLSigner.account)
        try keys[2].addKey(pem: "text before\n" + signer.publicKey + "text after", for: URLSigner.account)
        let signature = try #require(Hexadecimal.decode(signer.sign("hello", day: "20260930")))
        for keys in keys {
            #expect(!keys.isEmpty)
            #expect(try keys.verify(signature, of: "hello", by: Self.credential(), algorithm: .rsa) == true)
            #expect(try keys.verify(signature, of: "hullo", by: Self.credential(), algorithm: .rsa) == false)
            #expect(try keys.verify([], of: "hello", by: Self.credential(), algorithm: .rsa) == false)
            #expect(try keys.verify(signature, of: "hello", by: Self.credential(), algorithm: .hmac) == nil)
        }
        #expect(try SigningKeys().verify(signature, of: "hello", by: Self.credential(), algorithm: .rsa) == nil)
    }

    @Test(arguments: ["", "{}", "[]", "{\"client_email\":\"a\"}", "{\"client_email\":1,\"private_key\":2}"])
    func `refuses what is no service account's file`(json: String) {
        var keys = SigningKeys()
        #expect {
            try keys.addServiceAccount(json: Array(json.utf8))
        } throws: { ($0 as? SigningKeyError)?.code == .noServiceAccount }
        #expect(keys.isEmpty)
    }

    @Test(arguments: [
        "", "-----BEGIN ", "-----BEGIN PUBLIC KEY-----", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----",
        "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "-----BEGIN X-----\nAAAA\n-----END X-----",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
        // A key on a curve.
        """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
        -----END PUBLIC KEY-----
        """,
    ])
    func `refuses what is no RSA key`(pem: String) {
        var keys = SigningKeys()
        #expect {
            try keys.addKey(pem: pem, for: "a")
        } throws: { ($0 as? SigningKeyError)?.code == .noKey }
        #expect(keys.isEmpty)
    }

    @Test(arguments: [
        "", "a", "a/20260930/auto/storage", "a/20260930/auto/storage/aws4_request",
        "/20260930/auto/storage/goog4_request",
        "a/b/20260930/auto/storage/goog4_request",
    ])
    func `refuses what is no credential`(text: String) {
        #expect(SigningCredential(text) == nil)
    }
}
