// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// Bytes compressed with gzip.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
    guard let deflater = Deflater(.gzip) else { preconditionFailure("zlib must be there") }
    return [UInt8](unsafeUninitializedCapacity: deflater.byteCountMax(of: bytes.count)) { room, count in
        count = bytes.withUnsafeBytes { deflater.compress($0, into: UnsafeMutableRawBufferPointer(room)) } ?? 0
    }
}
