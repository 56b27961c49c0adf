// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import CLibCrypto

/// SHA-256 (FIPS 180-4).
enum SHA256 {
    private static let byteCount = 32

    /// The digest of a text, in lower-case hexadecimal.
    static func hexadecimal(of text: String) -> String {
        let message = Array(text.utf8)
        var digest = [UInt8](repeating: 0, count: byteCount)
        let isDone = EVP_Digest(message, message.count, &digest, nil, EVP_sha256(), nil)
        precondition(isDone == 1, "libcrypto must have SHA-256")
        return Hexadecimal.encode(digest)
    }
}
