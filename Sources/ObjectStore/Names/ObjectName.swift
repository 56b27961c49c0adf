// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The name of an object: 1 to 1,024 bytes of UTF-8 without line breaks, not `.` or `..`, otherwise opaque.
///
/// `a/../b`, `//` and a trailing slash name themselves. Two names are equal when their bytes are: the composed and the
/// decomposed "é" are two names, although they are equal as a `String`.
/// Source: https://cloud.google.com/storage/docs/objects#naming (2026-11).
package struct ObjectName: Sendable, CustomStringConvertible {
    /// The longest name.
    package static let byteCountMax = 1_024

    /// The name as sent by clients.
    package let description: String

    /// Returns `nil` for a name that is empty, too long, broken across lines, or one that no URL can carry.
    package init?(_ name: String) {
        guard (1...Self.byteCountMax).contains(name.utf8.count), name != ".", name != ".." else { return nil }
        // Bytes, not characters: "\r\n" is a single Character.
        guard !name.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return nil }
        description = name
    }
}

extension ObjectName: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.description.utf8.elementsEqual(right.description.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var bytes = description
        bytes.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension ObjectName: Comparable {
    /// The order of listings: by UTF-8 bytes.
    package static func < (left: Self, right: Self) -> Bool {
        left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
    }
}

/// Where an object is: its bucket and its name there.
package struct ObjectPath: Hashable, Sendable, CustomStringConvertible {
    /// The bucket.
    package var bucket: BucketName
    /// The name within the bucket.
    package var name: ObjectName

    /// Creates a path from validated names.
    package init(bucket: BucketName, name: ObjectName) {
        self.bucket = bucket
        self.name = name
    }

    /// Returns `nil` when either name is invalid.
    package init?(bucket: String, name: String) {
        guard let bucket = BucketName(bucket), let name = ObjectName(name) else { return nil }
        self.init(bucket: bucket, name: name)
    }

    /// The path as error messages of Google name it: `bucket/name`.
    package var description: String { "\(bucket)/\(name)" }
}

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
