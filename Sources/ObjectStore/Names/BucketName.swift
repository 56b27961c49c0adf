// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The name of a bucket: 1 to 222 bytes of lower-case letters, digits, dots, hyphens and underscores.
///
/// More lenient than production (3 bytes at least, no leading or trailing punctuation), because emulator projects
/// use short names. Source: https://cloud.google.com/storage/docs/buckets#naming (2026-11).
package struct BucketName: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The longest name production accepts, for names with dots.
    package static let byteCountMax = 222

    /// The name as sent by clients.
    package let description: String

    /// Returns `nil` for a name that is empty, too long or holds any other character.
    package init?(_ name: String) {
        guard (1...Self.byteCountMax).contains(name.utf8.count), name.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        description = name
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
