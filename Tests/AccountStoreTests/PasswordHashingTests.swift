// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Testing

@Suite struct PasswordHashingTests {
    /// The vector that Google publishes (https://github.com/firebase/scrypt, README, 2026-11).
    private static let published = {
        var hashing = PasswordHashing(.scrypt)
        hashing.signerKey = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
        hashing.saltSeparator = "Bw=="
        hashing.rounds = 8
        hashing.memoryCost = 14
        return hashing
    }()

    @Test func `Google's published hash of scrypt is that of its password`() {
        let hash = "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
        let salt = "42xEC+ixf3L2lw=="
        #expect(Self.published.verifies(hash, of: "user1password", salt: salt))
        #expect(Self.published.verifies(hash.webSafe, of: "user1password", salt: salt))
        #expect(!Self.published.verifies(hash, of: "user1passwort", salt: salt))
        #expect(!Self.published.verifies(hash, of: "user1password", salt: "AAAA"))
    }

    /// Of "correct horse" with the salt "NaCl" and the key "signer", made with Python's hashlib.
    @Test(
        "hashes that others make are verified",
        arguments: [
            (.hmacMD5, .passwordFirst, "H7RwRQhvRBJc/qmEplffug=="),
            (.hmacMD5, .saltFirst, "Mm/JW/NXMioK3hU1FcF3OA=="),
            (.hmacSHA1, .passwordFirst, "VY6lRb+kDVli0lYa6l4iVulWYHY="),
            (.hmacSHA256, .saltFirst, "ZP+IdIdUgmrZPgQhDAMFxaPFlUmJAD0rGfN8SYF7su4="),
            (
                .hmacSHA512, .passwordFirst,
                "nXKjQ/iSuWmlzY7Hdo7LewoDKtNAOSoQltheTeqru3V2cZZi6ZoxNxRuCkkB2+b+TUo9tHFkgqXY8jxYil23Sw=="
            ),
            (.md5, .saltFirst, "M2MwYWUwMmQ3NDE2OGRjOTU4ODA3ZWM1YzY2MWNjZWY="),
            (.sha1, .saltFirst, "2Cs2yfKn+Zs2/cqtwj42RIBz2/E="),
            (.sha256, .saltFirst, "hSOoXvL1cDOWMP6VxOsrdO9qv+cR/xeNa4RsAlEBk3w="),
            (
                .sha512, .saltFirst,
                "nacb1zZmh890M95p/Te5H9+L8lx/5SJ51+TT82zJzL/WFB+cDpqipib4xMpW7GKvH2ZDzdIsTIdWRZJtcw4WbQ=="
            ),
            (.pbkdfSHA1, .saltFirst, "wTijAypcehTb83ax3kkR/eHCLg0="),
            (.pbkdf2SHA256, .saltFirst, "y6UK+57OG2yJnZIbS3E5E599IliwIIbBdkxEFXXGYlM="),
            (
                .standardSCRYPT, .saltFirst,
                "xPqUjhGxb1BHAUIHq9nbFDlZKbsN1Xtol93brViIQhuOVLtnbYBKkyAoRO+IGVlSNmD8Q+mhNvg7U0V3z3jzAg=="
            ),
        ] as [(PasswordHashing.Algorithm, PasswordHashing.Order, String)]
    )
    func verifies(algorithm: PasswordHashing.Algorithm, order: PasswordHashing.Order, hash: String) {
        var hashing = PasswordHashing(algorithm)
        hashing.order = order
        hashing.signerKey = "c2lnbmVy"
        hashing.rounds = [.md5, .sha1, .sha256, .sha512].contains(algorithm) ? 3 : 1_000
        (hashing.memoryCost, hashing.blockSize, hashing.parallelization) = (1_024, 8, 1)
        #expect(hashing.verifies(hash, of: "correct horse", salt: "TmFDbA=="))
        #expect(!hashing.verifies(hash, of: "correct house", salt: "TmFDbA=="))
    }

    /// Of libxcrypt 4.4, and of https://github.com/P-H-C/phc-winner-argon2 as Debian has it.
    @Test func `hashes that are slow to make are verified`() {
        let bcrypt = PasswordHashing(.bcrypt)
        #expect(
            bcrypt.verifies(
                "JDJiJDA0JGFiY2RlZmdoaWprbG1ub3BxcnN0dXVqeWRPVFNmSUgvZDVvVUhwc3lncVY1WDl4SkxRYzZl",
                of: "correct horse",
                salt: nil
            )
        )
        #expect(
            !bcrypt.verifies(
                "JDJiJDA0JGFiY2RlZmdoaWprbG1ub3BxcnN0dXVqeWRPVFNmSUgvZDVvVUhwc3lncVY1WDl4SkxRYzZl",
                of: "correct house",
                salt: nil
            )
        )
        #expect(!bcrypt.verifies("JDJiJDMxJA==", of: "correct horse", salt: nil))
        var argon2 = PasswordHashing(.argon2)
        (argon2.rounds, argon2.memoryCost, argon2.parallelization) = (2, 1_024, 1)
        (argon2.derivedKeyByteCount, argon2.argon2Variant) = (32, .argon2id)
        let hash = "alx7x9eUA2KklCuymrWnfeHBRWv/eYcXCHgBxUXS19M="
        #expect(argon2.verifies(hash, of: "password123", salt: "c2FsdC12YWx1ZS0wMQ=="))
        argon2.argon2Variant = .argon2d
        #expect(!argon2.verifies(hash, of: "password123", salt: "c2FsdC12YWx1ZS0wMQ=="))
        argon2.memoryCost = nil
        #expect(!argon2.verifies(hash, of: "password123", salt: "c2FsdC12YWx1ZS0wMQ=="))
    }

    @Test func `parameters that make no sense verify nothing`() {
        var hashing = Self.published
        for cost in [0, -1, 63] as [Int64] {
            hashing.memoryCost = cost
            #expect(!hashing.verifies("AAAA", of: "x", salt: nil))
        }
        #expect(!PasswordHashing(.standardSCRYPT).verifies("AAAA", of: "x", salt: nil))
        #expect(!PasswordHashing(.pbkdf2SHA256).verifies("AAAA", of: "x", salt: nil))
        #expect(!PasswordHashing(.md5).verifies("not base 64!", of: "x", salt: nil))
    }
}

extension String {
    fileprivate var webSafe: String { replacing("+", with: "-").replacing("/", with: "_") }
}
