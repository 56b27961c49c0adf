// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    /// Returns how the hashes of an import were made; `nil` for those of emulators.
    ///
    /// - Throws: Production's refusal of parameters that it does not take.
    func hashing() throws(AuthFailure) -> PasswordHashing? {
        guard let name = try body.filled("hashAlgorithm") else { return nil }
        guard let algorithm = PasswordHashing.Algorithm(rawValue: name) else {
            try require(!context.profile.isProduction, "INVALID_HASH_ALGORITHM")
            return nil
        }
        var hashing = PasswordHashing(algorithm)
        hashing.signerKey = try body.filled("signerKey")
        hashing.saltSeparator = try body.filled("saltSeparator")
        hashing.rounds = try body.integer("rounds")
        hashing.memoryCost = try body.integer(algorithm == .scrypt ? "memoryCost" : "cpuMemCost")
        hashing.blockSize = try body.integer("blockSize")
        hashing.parallelization = try body.integer("parallelization")
        hashing.derivedKeyByteCount = try body.integer("dkLen")
        hashing.order = try body.filled("passwordHashOrder").flatMap(PasswordHashing.Order.init)
        if algorithm == .argon2, let parameters = try body.object("argon2Parameters") {
            hashing.rounds = try parameters.integer("iterations")
            hashing.memoryCost = try parameters.integer("memoryCostKib")
            hashing.parallelization = try parameters.integer("parallelism")
            hashing.derivedKeyByteCount = try parameters.integer("hashLengthBytes")
            hashing.argon2Variant = try parameters.filled("hashType").flatMap(PasswordHashing.Argon2Variant.init)
            hashing.associatedData = try parameters.filled("associatedData")
        }
        if context.profile.isProduction { try hashing.check() }
        return hashing
    }
}

extension PasswordHashing {
    /// Throws for parameters that production refuses (recorded against production, September 2026).
    fileprivate func check() throws(AuthFailure) {
        if let rounds = roundsTaken { try require(rounds.contains(self.rounds ?? 0), "INVALID_HASH_ROUNDS") }
        let (cost, length) = (memoryCost ?? 0, derivedKeyByteCount ?? 0)
        switch algorithm {
        case .hmacSHA256, .hmacSHA1, .hmacMD5: try require(signerKey != nil, "EMPTY_HASH_KEY")
        case .scrypt: try require((1...14).contains(cost), "INVALID_HASH_MEMORY_COSTS")
        case .standardSCRYPT: try require(cost > 0 && length > 0, "INVALID_HASH_PARAMETER")
        case .argon2:
            try require((1...Self.argon2MemoryKibibytesMax).contains(cost), "INVALID_ARGON2_MEMORY_COST")
            try require((1...Self.argon2IterationsMax).contains(rounds ?? 0), "INVALID_ARGON2_ITERATIONS")
            try require((parallelization ?? 0) > 0, "INVALID_ARGON2_PARALLELISM")
            try require(argon2Variant != nil, "INVALID_ARGON2_HASH_TYPE")
        case .hmacSHA512, .pbkdfSHA1, .pbkdf2SHA256, .md5, .sha1, .sha256, .sha512, .bcrypt: break
        }
    }

    /// The rounds that production takes; `nil` where the algorithm has none, or they are judged elsewhere.
    private var roundsTaken: ClosedRange<Int64>? {
        switch algorithm {
        case .pbkdfSHA1, .pbkdf2SHA256: 1...120_000
        case .sha1, .sha256, .sha512: 1...8_192
        case .md5: 0...8_192
        case .scrypt: 1...8
        case .hmacSHA256, .hmacSHA1, .hmacMD5, .hmacSHA512, .standardSCRYPT, .bcrypt, .argon2: nil
        }
    }
}
