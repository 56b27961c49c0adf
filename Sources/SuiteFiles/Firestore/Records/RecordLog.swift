// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CCRC32C

/// LevelDB's log format: records, each in one piece or in several.
///
///     block of 32,768 bytes: piece, piece, … zeros where no header fits any more
///     piece: masked CRC-32C (4), length (2), kind (1), content
///
/// Source: LevelDB 1.23, `doc/log_format.md`; files of the official emulator of google-cloud-cli 528.0.0 (2026-11).
enum RecordLog {
    static let blockByteCount = 32_768
    static let headerByteCount = 7
    /// Larger records are refused.
    ///
    /// Each element of an array repeats the field's name: a document of 1 MiB, all of it one array of booleans in a field with a
    /// long name, has an entity of many times its size.
    static let recordByteCountMax = 64 << 20

    /// The part of its record that a piece is.
    enum Kind: UInt8 {
        case full = 1
        case first = 2
        case middle = 3
        case last = 4

        init(isFirst: Bool, isLast: Bool) {
            switch (isFirst, isLast) {
            case (true, true): self = .full
            case (true, false): self = .first
            case (false, false): self = .middle
            case (false, true): self = .last
            }
        }

        var beginsRecord: Bool { self == .full || self == .first }
        var endsRecord: Bool { self == .full || self == .last }
    }

    /// The checksum of a piece's kind and content, masked since a log may hold logs.
    static func checksum(of kind: Kind, _ content: UnsafeRawBufferPointer) -> UInt32 {
        var kind = kind.rawValue
        let plain = firemeter_crc32c_extend(
            firemeter_crc32c_extend(0, &kind, 1),
            content.baseAddress,
            content.count
        )
        return (plain >> 15 | plain << 17) &+ 0xA282_EAD8
    }
}
