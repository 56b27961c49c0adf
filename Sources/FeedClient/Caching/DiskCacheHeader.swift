// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What stands before the bytes of an image on disk; integers are little-endian.
///
///     offset  0  magic "FMIMAGE1"
///             8  ticket      rewritten in place, hence outside the checksum
///            16  checksum    FNV-1a over key and image
///            24  byte count of the image
///            32  byte count of the key
///            40  key, then the image
struct DiskCacheHeader {
    static let ticketOffset = 8
    private static let magic = Data("FMIMAGE1".utf8)
    private static let fixedByteCount = 40
    /// Bucket and object names end at about 1,100 bytes; longer keys are not kept.
    static let keyByteCountMax = 4_096
    static let byteCountMax = fixedByteCount + keyByteCountMax

    let key: String
    let ticket: UInt64
    let checksum: UInt64
    let byteCount: Int

    init(key: String, ticket: UInt64, data: Data) {
        self.key = key
        self.ticket = ticket
        self.checksum = Self.checksum(key: key, data: data)
        self.byteCount = data.count
    }

    /// Reads a header from the start of a file; `nil` unless it is one.
    init?(_ start: Data) {
        guard start.count >= Self.fixedByteCount, start.prefix(Self.magic.count) == Self.magic,
            let byteCount = Int(exactly: Self.integer(start, at: 24)), byteCount <= Int(Int32.max),
            let keyByteCount = Int(exactly: Self.integer(start, at: 32)), keyByteCount <= Self.keyByteCountMax,
            start.count >= Self.fixedByteCount + keyByteCount
        else { return nil }
        let keyBytes = start.dropFirst(Self.fixedByteCount).prefix(keyByteCount)
        guard let key = String(data: keyBytes, encoding: .utf8) else { return nil }
        self.key = key
        self.ticket = Self.integer(start, at: Self.ticketOffset)
        self.checksum = Self.integer(start, at: 16)
        self.byteCount = byteCount
    }

    var fileByteCount: Int { Self.fixedByteCount + key.utf8.count + byteCount }

    var encoded: Data {
        let integers = [ticket, checksum, UInt64(byteCount), UInt64(key.utf8.count)]
        return integers.reduce(Self.magic) { $0 + Self.bytes($1) } + Data(key.utf8)
    }

    static func checksum(key: String, data: Data) -> UInt64 {
        var hash = FNV1a64()
        hash.combine(key.utf8)
        hash.combine(data)
        return hash.value
    }

    static func bytes(_ integer: UInt64) -> Data {
        Data((0..<8).map { UInt8(truncatingIfNeeded: integer >> ($0 * 8)) })
    }

    private static func integer(_ data: Data, at offset: Int) -> UInt64 {
        data.dropFirst(offset).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
