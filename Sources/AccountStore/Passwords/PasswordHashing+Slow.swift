// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import CLibArgon2
import CLibCrypt
import Foundation

extension PasswordHashing {
    /// The most rounds of bcrypt, as a binary logarithm: about a second of work.
    private static let bcryptCostMax = 14
    /// The limits of imports (recorded against production, September 2026).
    package static let argon2MemoryKibibytesMax: Int64 = 32_768
    package static let argon2IterationsMax: Int64 = 16
    private static let argon2LengthMax: Int64 = 1_024

    /// Whether a text of bcrypt, which has its salt and its cost in it, is that of a password.
    static func isBcrypt(_ text: String, of password: String) -> Bool {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[1].hasPrefix("2"), let cost = Int(parts[2]), cost <= bcryptCostMax,
            !password.utf8.contains(0)
        else { return false }
        var memory = crypt_data()
        return crypt_r(password, text, &memory).map { String(cString: $0) == text } ?? false
    }

    /// Hashes a password by Argon2.
    func argon2(_ password: [UInt8], _ salt: [UInt8]) -> [UInt8]? {
        guard let variant = argon2Variant?.type, let memory = memoryCost, let iterations = rounds,
            let lanes = parallelization, let length = derivedKeyByteCount,
            (1...Self.argon2MemoryKibibytesMax).contains(memory), (1...Self.argon2IterationsMax).contains(iterations),
            (1...Int64(UInt8.max)).contains(lanes), (4...Self.argon2LengthMax).contains(length)
        else { return nil }
        var (password, salt) = (password, salt)
        var data = associatedData.flatMap { Data(webSafeBase64: $0) }.map(Array.init) ?? []
        var hash = [UInt8](repeating: 0, count: Int(length))
        let outcome = hash.withUnsafeMutableBufferPointer { hash in
            password.withUnsafeMutableBufferPointer { password in
                salt.withUnsafeMutableBufferPointer { salt in
                    data.withUnsafeMutableBufferPointer { data in
                        var context = argon2_context()
                        (context.out, context.outlen) = (hash.baseAddress, UInt32(hash.count))
                        (context.pwd, context.pwdlen) = (password.baseAddress, UInt32(password.count))
                        (context.salt, context.saltlen) = (salt.baseAddress, UInt32(salt.count))
                        (context.ad, context.adlen) = (data.baseAddress, UInt32(data.count))
                        (context.t_cost, context.m_cost) = (UInt32(iterations), UInt32(memory))
                        (context.lanes, context.threads) = (UInt32(lanes), 1)
                        context.version = ARGON2_VERSION_13.rawValue
                        return argon2_ctx(&context, variant)
                    }
                }
            }
        }
        return outcome == ARGON2_OK.rawValue ? hash : nil
    }
}

extension PasswordHashing.Argon2Variant {
    fileprivate var type: argon2_type {
        switch self {
        case .argon2id: Argon2_id
        case .argon2i: Argon2_i
        case .argon2d: Argon2_d
        }
    }
}
