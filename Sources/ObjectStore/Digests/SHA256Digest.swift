// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CLibCrypto
package import Foundation

/// SHA-256 by the system's libcrypto.
package enum SHA256Digest {
    private static let byteCount = 32

    /// Returns the 32 bytes of the digest.
    package static func bytes(of data: Data) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        let isDone = data.withUnsafeBytes { EVP_Digest($0.baseAddress, $0.count, &digest, nil, EVP_sha256(), nil) }
        precondition(isDone == 1, "every libcrypto computes SHA-256")
        return digest
    }

    /// Returns the digest in base64.
    package static func base64(of data: Data) -> String {
        Data(bytes(of: data)).base64EncodedString()
    }
}
