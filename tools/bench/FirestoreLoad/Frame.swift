// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The types of HTTP/2 frames (RFC 9113, section 6).
enum FrameType: UInt8 {
    case data
    case headers
    case priority
    case reset
    case settings
    case pushPromise
    case ping
    case goAway
    case windowUpdate
    case continuation
}

/// One received frame, where it lies.
struct Frame {
    static let headerByteCount = 9
    static let endStream: UInt8 = 0x1
    static let acknowledgement: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4
    static let padded: UInt8 = 0x8
    static let priority: UInt8 = 0x20

    var type: UInt8
    var flags: UInt8
    var stream: UInt32
    var payload: UnsafeRawBufferPointer

    /// The frame at the start of the bytes; `nil` while it is incomplete.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.headerByteCount else { return nil }
        let count = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
        guard bytes.count >= Self.headerByteCount + count else { return nil }
        type = bytes[3]
        flags = bytes[4]
        stream = bytes.loadUnaligned(fromByteOffset: 5, as: UInt32.self).bigEndian & 0x7FFF_FFFF
        payload = UnsafeRawBufferPointer(rebasing: bytes[Self.headerByteCount..<(Self.headerByteCount + count)])
    }

    var byteCount: Int { Self.headerByteCount + payload.count }

    /// The payload without padding and priority.
    func content() throws(LoadError) -> UnsafeRawBufferPointer {
        var start = 0
        var padding = 0
        if flags & Self.padded != 0 {
            padding = Int(payload.first ?? 0)
            start = 1
        }
        if type == FrameType.headers.rawValue, flags & Self.priority != 0 { start += 5 }
        guard start + padding <= payload.count else { throw .unexpected("more padding than payload") }
        return UnsafeRawBufferPointer(rebasing: payload[start..<(payload.count - padding)])
    }

    func integer(at offset: Int) throws(LoadError) -> UInt32 {
        guard offset + 4 <= payload.count else { throw .unexpected("a frame that is too short") }
        return payload.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian
    }
}
