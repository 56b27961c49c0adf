// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CCRC32C
import Foundation

/// The header of an image file on disk; integers are little-endian.
///
///     offset  0  magic: "FMIMAGE2", or "FMPART02" while the image is not whole
///             8  until when the image is fresh, in microseconds since 1970; rewritten in place, hence outside the checksum
///            16  CRC-32C of all that follows up to the image
///            20  CRC-32C of the image; 0 while it is not whole
///            24  byte count of the whole image, or -1
///            32  byte count of the key
///            36  byte count of the entity tag
///            40  key, entity tag, then the image
struct ImageFileHeader: Hashable {
    static let freshUntilOffset = 8
    /// Bucket and object names end at about 1,100 bytes; longer keys are not kept.
    static let keyByteCountMax = 4_096
    /// Longer entity tags are not kept, nor are their partial downloads.
    static let entityTagByteCountMax = 1_024
    static let byteCountMax = fixedByteCount + keyByteCountMax + entityTagByteCountMax

    private static let fixedByteCount = 40
    private static let wholeMagic = Data("FMIMAGE2".utf8)
    private static let partialMagic = Data("FMPART02".utf8)

    var key: String
    var entityTag = ""
    var freshUntil: Int64 = 0
    var isWhole = false
    var checksum: UInt32 = 0
    var imageByteCount: Int?

    init?(key: String, entityTag: String) {
        guard key.utf8.count <= Self.keyByteCountMax, entityTag.utf8.count <= Self.entityTagByteCountMax else {
            return nil
        }
        self.key = key
        self.entityTag = entityTag
    }

    /// Reads a header from the start of a file; `nil` unless it is one and is undamaged.
    init?(_ start: Data) {
        let start = Data(start.prefix(Self.byteCountMax))
        guard start.count >= Self.fixedByteCount else { return nil }
        let magic = start.prefix(8)
        guard magic == Self.wholeMagic || magic == Self.partialMagic else { return nil }
        let keyEnd = Self.fixedByteCount + Int(start.integer(UInt32.self, at: 32))
        let end = keyEnd + Int(start.integer(UInt32.self, at: 36))
        guard end <= start.count, start.integer(UInt32.self, at: 16) == start[20..<end].crc32c,
            let key = String(data: start[Self.fixedByteCount..<keyEnd], encoding: .utf8),
            let entityTag = String(data: start[keyEnd..<end], encoding: .utf8)
        else { return nil }
        self.key = key
        self.entityTag = entityTag
        isWhole = magic == Self.wholeMagic
        freshUntil = start.integer(Int64.self, at: Self.freshUntilOffset)
        checksum = start.integer(UInt32.self, at: 20)
        imageByteCount = Int(exactly: start.integer(Int64.self, at: 24)).flatMap { $0 < 0 ? nil : $0 }
    }

    /// Where the image begins in the file.
    var byteCount: Int { Self.fixedByteCount + key.utf8.count + entityTag.utf8.count }

    var encoded: Data {
        var checked = Data()
        checked.append(integer: checksum)
        checked.append(integer: Int64(imageByteCount ?? -1))
        checked.append(integer: UInt32(key.utf8.count))
        checked.append(integer: UInt32(entityTag.utf8.count))
        checked.append(contentsOf: key.utf8)
        checked.append(contentsOf: entityTag.utf8)
        var data = isWhole ? Self.wholeMagic : Self.partialMagic
        data.append(integer: freshUntil)
        data.append(integer: checked.crc32c)
        return data + checked
    }
}

extension Data {
    /// The CRC-32C of the bytes, as Cloud Storage reports it of an object.
    package var crc32c: UInt32 { withUnsafeBytes { firemeter_crc32c_extend(0, $0.baseAddress, $0.count) } }

    /// Appends an integer, its lowest byte first.
    mutating func append(integer: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
    }

    /// The integer at an offset from the start, its lowest byte first.
    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, at offset: Int) -> Integer {
        withUnsafeBytes { Integer(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }
}

/// The names of the cache's files in its directory; all others are foreign and stay untouched.
package enum CacheFileName {
    static let image = "fmimage"
    static let partial = "fmpart"
    static let temporary = "fmtemp"
    static let journal = "index.fmjournal"
    static let newJournal = "index.fmtemp"
    static let lock = "index.fmlock"

    /// The name of a key's files without their extension.
    package static func stem(of key: String) -> String { FNV1a128.hexadecimal(of: key.utf8) }

    /// The stem of a file with one of the extensions, if it is the cache's own.
    static func stem(ofFile name: String, extension nameExtension: String) -> String? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == nameExtension, FNV1a128.isHexadecimal(parts[0]) else { return nil }
        return String(parts[0])
    }
}
