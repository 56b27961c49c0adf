// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A change of the disk cache, as its journal keeps it; integers are little-endian.
///
///     offset  0  kind: 1 inserted, 2 asked for, 3 removed
///             4  CRC-32C of all that follows
///             8  byte count of the image
///            16  when, in microseconds since 1970
///            24  the stem of the file's name, as its 16 bytes
struct JournalRecord: Hashable {
    enum Kind: UInt32 {
        case insert = 1
        case touch
        case remove
    }

    static let byteCount = 40

    let kind: Kind
    let stem: String
    var imageByteCount = 0
    var time: Int64 = 0

    init(_ kind: Kind, stem: String, imageByteCount: Int = 0, time: Int64 = 0) {
        self.kind = kind
        self.stem = stem
        self.imageByteCount = imageByteCount
        self.time = time
    }

    /// `nil` for what no record is: a crash, or a disk, may leave anything.
    init?(_ bytes: Data) {
        let bytes = Data(bytes)
        guard bytes.count == Self.byteCount, let kind = Kind(rawValue: bytes.integer(UInt32.self, at: 0)),
            bytes.integer(UInt32.self, at: 4) == bytes.dropFirst(8).crc32c,
            let imageByteCount = Int(exactly: bytes.integer(Int64.self, at: 8)), imageByteCount >= 0
        else { return nil }
        self.init(
            kind,
            stem: FNV1a128.hexadecimal(
                high: bytes.integer(UInt64.self, at: 24),
                low: bytes.integer(UInt64.self, at: 32)
            ),
            imageByteCount: imageByteCount,
            time: bytes.integer(Int64.self, at: 16)
        )
    }

    var encoded: Data {
        var checked = Data()
        checked.append(integer: Int64(imageByteCount))
        checked.append(integer: time)
        for half in [stem.prefix(16), stem.suffix(16)] { checked.append(integer: UInt64(half, radix: 16) ?? 0) }
        var data = Data()
        data.append(integer: kind.rawValue)
        data.append(integer: checked.crc32c)
        return data + checked
    }
}
