// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// The name of a file of object bytes: 32 random hexadecimal digits.
///
/// Random rather than counted, so that no crash can make two uploads share a name.
struct BlobID: Hashable, Sendable {
    static let digitCount = 32
    /// Blobs are spread over directories named by their first digits, so that no directory grows huge.
    static let shardDigitCount = 2

    let description: String

    /// Draws a new name.
    init() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<Self.digitCount / 2).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        description = Hexadecimal.encode(bytes)
    }

    /// Returns `nil` for the name of a file that is not a blob.
    init?(_ fileName: String) {
        guard fileName.utf8.count == Self.digitCount, fileName.utf8.allSatisfy(Hexadecimal.isDigit) else { return nil }
        description = fileName
    }

    /// The name of the directory that holds the blob.
    var shard: String { String(description.prefix(Self.shardDigitCount)) }
}
