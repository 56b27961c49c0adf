// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CCRC32C
import CLibCrypto
import CZlib

extension Builtin {
    /// The digest of a text or of bytes; the checksums are little-endian.
    func hash(_ value: RulesValue) -> RulesValue? {
        let bytes: [UInt8]
        switch value {
        case .string(let text): bytes = Array(text.utf8)
        case .bytes(let content): bytes = content
        default: return nil
        }
        switch self {
        case .hashingMD5: return .bytes(Self.digest(bytes, EVP_md5(), byteCount: 16))
        case .hashingSHA256: return .bytes(Self.digest(bytes, EVP_sha256(), byteCount: 32))
        case .hashingCRC32: return .bytes(UInt32(crc32(0, bytes, UInt32(bytes.count))).littleEndianBytes)
        default: return .bytes(firemeter_crc32c_extend(0, bytes, bytes.count).littleEndianBytes)
        }
    }

    private static func digest(_ bytes: [UInt8], _ algorithm: OpaquePointer?, byteCount: Int) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        // Fails for lack of memory alone.
        guard EVP_Digest(bytes, bytes.count, &digest, nil, algorithm, nil) == 1 else { return [] }
        return digest
    }
}

extension UInt32 {
    fileprivate var littleEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }
}
