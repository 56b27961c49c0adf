// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import CLibCrypto
import Foundation

extension PasswordHashing {
    /// The memory that a hash may take; parameters that need more verify nothing.
    private static let memoryByteCountMax: UInt64 = 256 << 20
    /// More rounds than any service recommends, and about a second of work.
    private static let roundCountMax: Int64 = 2_000_000
    private static let keyByteCountMax: Int64 = 1_024

    /// Whether a hash is that of a password.
    ///
    /// - Parameters:
    ///   - hash: In base 64, in either alphabet.
    ///   - password: The password.
    ///   - salt: In base 64.
    /// - Returns: False also for parameters that make no sense.
    package func verifies(_ hash: String, of password: String, salt: String?) -> Bool {
        guard let expected = Data(webSafeBase64: hash), !expected.isEmpty else { return false }
        if algorithm == .bcrypt { return Self.isBcrypt(String(decoding: expected, as: UTF8.self), of: password) }
        return digest(of: Array(password.utf8), salt: bytes(salt), byteCount: expected.count) == Array(expected)
    }

    /// Hashes a password.
    ///
    /// - Parameters:
    ///   - password: The password in UTF-8.
    ///   - salt: The salt.
    ///   - byteCount: How long the hash is, where the algorithm leaves it open.
    /// - Returns: The hash; `nil` for parameters that make no sense.
    func digest(of password: [UInt8], salt: [UInt8], byteCount: Int) -> [UInt8]? {
        switch algorithm {
        case .scrypt: encryptedKey(password, salt)
        case .standardSCRYPT: standardScrypt(password, salt, byteCount)
        case .hmacSHA256: authenticated(password, salt, EVP_sha256())
        case .hmacSHA1: authenticated(password, salt, EVP_sha1())
        case .hmacMD5: authenticated(password, salt, EVP_md5())
        case .hmacSHA512: authenticated(password, salt, EVP_sha512())
        case .pbkdfSHA1: derived(password, salt, EVP_sha1(), byteCount)
        case .pbkdf2SHA256: derived(password, salt, EVP_sha256(), byteCount)
        case .md5: hexadecimal(password, salt)
        case .sha1: repeated(password, salt, EVP_sha1())
        case .sha256: repeated(password, salt, EVP_sha256())
        case .sha512: repeated(password, salt, EVP_sha512())
        case .argon2: argon2(password, salt)
        // Its text has the salt in it.
        case .bcrypt: nil
        }
    }

    private func bytes(_ text: String?) -> [UInt8] { text.flatMap { Data(webSafeBase64: $0) }.map(Array.init) ?? [] }

    // MARK: Algorithms

    /// Production's hash: the signer key, encrypted by AES-256 in counter mode with the key that scrypt derives.
    ///
    /// Source: https://github.com/firebase/scrypt (2026-11).
    private func encryptedKey(_ password: [UInt8], _ salt: [UInt8]) -> [UInt8]? {
        guard let logarithm = memoryCost, (1...20).contains(logarithm), let rounds, (1...64).contains(rounds) else {
            return nil
        }
        let wholeSalt = salt + bytes(saltSeparator)
        let key = Self.scrypt(password, wholeSalt, cost: 1 << UInt64(logarithm), rounds, 1, byteCount: 32)
        return key.flatMap { Self.encrypt(bytes(signerKey), key: $0) }
    }

    private func standardScrypt(_ password: [UInt8], _ salt: [UInt8], _ byteCount: Int) -> [UInt8]? {
        guard let cost = memoryCost, cost > 1, let blockSize, blockSize > 0, let parallelization, parallelization > 0
        else { return nil }
        let length = derivedKeyByteCount ?? Int64(byteCount)
        guard (1...Self.keyByteCountMax).contains(length) else { return nil }
        return Self.scrypt(password, salt, cost: UInt64(cost), blockSize, parallelization, byteCount: Int(length))
    }

    /// The key authenticates the password and the salt (firebase.google.com/docs/auth/admin/import-users, 2026-11).
    private func authenticated(_ password: [UInt8], _ salt: [UInt8], _ digest: OpaquePointer?) -> [UInt8]? {
        let key = bytes(signerKey)
        let message = order == .saltFirst ? salt + password : password + salt
        var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard HMAC(digest, key, Int32(key.count), message, message.count, &result, &count) != nil else { return nil }
        return Array(result.prefix(Int(count)))
    }

    private func derived(
        _ password: [UInt8],
        _ salt: [UInt8],
        _ digest: OpaquePointer?,
        _ byteCount: Int
    ) -> [UInt8]? {
        guard let rounds, (1...Self.roundCountMax).contains(rounds), byteCount <= Self.keyByteCountMax else {
            return nil
        }
        var key = [UInt8](repeating: 0, count: byteCount)
        let isDone = password.withUnsafeBytes { password in
            PKCS5_PBKDF2_HMAC(
                password.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(password.count),
                salt,
                Int32(salt.count),
                Int32(rounds),
                digest,
                Int32(byteCount),
                &key
            )
        }
        return isDone == 1 ? key : nil
    }

    /// A digest, of which a digest is made, and so on; without rounds, once.
    ///
    /// The salt is first unless the order says otherwise (recorded against production, September 2026).
    private func repeated(_ password: [UInt8], _ salt: [UInt8], _ digest: OpaquePointer?) -> [UInt8]? {
        let rounds = max(1, rounds ?? 1)
        guard rounds <= Self.roundCountMax else { return nil }
        var message = order == .passwordFirst ? password + salt : salt + password
        for _ in 0..<rounds {
            guard let next = Self.digest(of: message, digest) else { return nil }
            message = next
        }
        return message
    }

    /// The digits of MD5, which in each round takes the password again (recorded against production, September 2026).
    private func hexadecimal(_ password: [UInt8], _ salt: [UInt8]) -> [UInt8]? {
        let rounds = rounds ?? 0
        guard (0...Self.roundCountMax).contains(rounds) else { return nil }
        var message = Self.digest(of: order == .passwordFirst ? password + salt : salt + password, EVP_md5())
        for _ in 0..<rounds { message = message.flatMap { Self.digest(of: $0 + password, EVP_md5()) } }
        return message.map { Array(Hexadecimal.encode($0).utf8) }
    }

    private static func digest(of message: [UInt8], _ digest: OpaquePointer?) -> [UInt8]? {
        var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_Digest(message, message.count, &result, &count, digest, nil) == 1 else { return nil }
        return Array(result.prefix(Int(count)))
    }

    private static func scrypt(
        _ password: [UInt8],
        _ salt: [UInt8],
        cost: UInt64,
        _ blockSize: Int64,
        _ parallelization: Int64,
        byteCount: Int
    ) -> [UInt8]? {
        var key = [UInt8](repeating: 0, count: byteCount)
        let isDone = password.withUnsafeBytes { password in
            EVP_PBE_scrypt(
                password.baseAddress?.assumingMemoryBound(to: CChar.self),
                password.count,
                salt,
                salt.count,
                cost,
                UInt64(blockSize),
                UInt64(parallelization),
                memoryByteCountMax,
                &key,
                byteCount
            )
        }
        return isDone == 1 ? key : nil
    }

    private static func encrypt(_ text: [UInt8], key: [UInt8]) -> [UInt8]? {
        guard let context = EVP_CIPHER_CTX_new() else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        let counter = [UInt8](repeating: 0, count: 16)
        var result = [UInt8](repeating: 0, count: text.count)
        var count: Int32 = 0
        guard EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), nil, key, counter) == 1,
            EVP_EncryptUpdate(context, &result, &count, text, Int32(text.count)) == 1
        else { return nil }
        return result
    }
}
