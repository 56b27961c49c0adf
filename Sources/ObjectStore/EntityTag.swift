// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Entity tags of resources: base64 of the protobuf `{1: generation, 2: metageneration}`.
///
/// As recorded from production in 2026: 1790789164648913 and 2 give `CNGTm8DplpcDEAI=`.
private enum EntityTag {
    static func text(_ fields: [(number: UInt8, value: Int64)]) -> String {
        var message = Data()
        for field in fields {
            message.append(field.number << 3)
            message.appendVarint(UInt64(bitPattern: field.value))
        }
        return message.base64EncodedString()
    }
}

extension ObjectMetadata {
    /// The entity tag of the metadata resource.
    package var etag: String { EntityTag.text([(1, generation), (2, metageneration)]) }
}

extension BucketMetadata {
    /// The entity tag of the bucket's resource, which has no generation.
    package var etag: String { EntityTag.text([(2, metageneration)]) }
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
