// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// How the hash of an imported password was made.
///
/// The names are those of `accounts:batchCreate` (Identity Toolkit v1, `UploadAccountRequest`, 2026-11).
package struct PasswordHashing: Sendable, Equatable {
    /// The algorithms whose hashes can be verified.
    package enum Algorithm: String, Sendable, CaseIterable {
        case hmacSHA256 = "HMAC_SHA256"
        case hmacSHA1 = "HMAC_SHA1"
        case hmacMD5 = "HMAC_MD5"
        case hmacSHA512 = "HMAC_SHA512"
        /// Production's own: the key, encrypted with what scrypt derives.
        case scrypt = "SCRYPT"
        case standardSCRYPT = "STANDARD_SCRYPT"
        case pbkdfSHA1 = "PBKDF_SHA1"
        case pbkdf2SHA256 = "PBKDF2_SHA256"
        case md5 = "MD5"
        case sha1 = "SHA1"
        case sha256 = "SHA256"
        case sha512 = "SHA512"
        case bcrypt = "BCRYPT"
        case argon2 = "ARGON2"
    }

    /// The variants of Argon2.
    package enum Argon2Variant: String, Sendable, CaseIterable {
        case argon2id = "ARGON2_ID"
        case argon2i = "ARGON2_I"
        case argon2d = "ARGON2_D"
    }

    /// Where the salt of a digest is.
    package enum Order: String, Sendable {
        case saltFirst = "SALT_AND_PASSWORD"
        case passwordFirst = "PASSWORD_AND_SALT"
    }

    package let algorithm: Algorithm
    /// In base 64, as the members below.
    package var signerKey: String?
    package var saltSeparator: String?
    package var rounds: Int64?
    /// For SCRYPT the binary logarithm of the cost, for STANDARD_SCRYPT the cost itself, for ARGON2 kibibytes.
    package var memoryCost: Int64?
    package var blockSize: Int64?
    package var parallelization: Int64?
    /// The bytes of the hash.
    package var derivedKeyByteCount: Int64?
    package var order: Order?
    package var argon2Variant: Argon2Variant?
    /// The data that ARGON2 hashes besides the password.
    package var associatedData: String?

    /// Names an algorithm, without parameters.
    package init(_ algorithm: Algorithm) { self.algorithm = algorithm }

    var json: JSONText {
        .object(compacting: [
            ("algorithm", .string(algorithm.rawValue)), ("signerKey", signerKey.map(JSONText.string)),
            ("saltSeparator", saltSeparator.map(JSONText.string)), ("rounds", rounds.map(JSONText.integer)),
            ("memoryCost", memoryCost.map(JSONText.integer)), ("blockSize", blockSize.map(JSONText.integer)),
            ("parallelization", parallelization.map(JSONText.integer)),
            ("dkLen", derivedKeyByteCount.map(JSONText.integer)),
            ("passwordHashOrder", order.map { .string($0.rawValue) }),
            ("hashType", argon2Variant.map { .string($0.rawValue) }),
            ("associatedData", associatedData.map(JSONText.string)),
        ])
    }

    init?(json: JSONValue) {
        guard let algorithm = json["algorithm"]?.string.flatMap(Algorithm.init) else { return nil }
        self.init(algorithm)
        signerKey = json["signerKey"]?.string
        saltSeparator = json["saltSeparator"]?.string
        rounds = json["rounds"]?.integer
        memoryCost = json["memoryCost"]?.integer
        blockSize = json["blockSize"]?.integer
        parallelization = json["parallelization"]?.integer
        derivedKeyByteCount = json["dkLen"]?.integer
        order = json["passwordHashOrder"]?.string.flatMap(Order.init)
        argon2Variant = json["hashType"]?.string.flatMap(Argon2Variant.init)
        associatedData = json["associatedData"]?.string
    }
}
