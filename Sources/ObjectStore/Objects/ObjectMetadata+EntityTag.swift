// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ObjectMetadata {
    /// The entity tag of the metadata resource: base64 of the protobuf `{1: generation, 2: metageneration}`.
    ///
    /// As recorded from production in 2026: 1790789164648913 and 2 give `CNGTm8DplpcDEAI=`.
    package var etag: String {
        var message = Data([0x08])
        message.appendVarint(UInt64(bitPattern: generation))
        message.append(0x10)
        message.appendVarint(UInt64(bitPattern: metageneration))
        return message.base64EncodedString()
    }
}

extension Data {
    /// Appends seven bits a byte, lowest first, the high bit meaning that more follow.
    fileprivate mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest > 0x7F {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
