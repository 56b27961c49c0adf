// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The text of `grpc-message`: UTF-8 with all but printable ASCII, and the percent sign, escaped.
enum StatusMessageCoding {
    private static let digits = Array("0123456789ABCDEF".utf8)
    private static let ellipsis = "..."

    /// Escapes a text; one that is then too long is cut in its middle, between two characters.
    static func encode(_ message: String, byteCountMax: Int = GRPCLimits.statusMessageByteCountMax) -> String {
        let needsNoEscape = message.utf8.allSatisfy(isPlain)
        guard !needsNoEscape || message.utf8.count > byteCountMax else { return message }
        let scalars = message.unicodeScalars
        guard prefixCount(of: scalars, in: byteCountMax) < scalars.count else { return escape(scalars) }
        let room = byteCountMax - ellipsis.utf8.count
        let tailCount = prefixCount(of: scalars.reversed(), in: room / 4)
        let headCount = prefixCount(of: scalars, in: room - room / 4)
        return escape(scalars.prefix(headCount)) + ellipsis + escape(scalars.suffix(tailCount))
    }

    /// The count of scalars that fit into a room when they are escaped.
    private static func prefixCount(of scalars: some Sequence<Unicode.Scalar>, in room: Int) -> Int {
        var byteCount = 0
        var count = 0
        for scalar in scalars {
            byteCount += UTF8.width(scalar) == 1 && isPlain(UInt8(scalar.value)) ? 1 : 3 * UTF8.width(scalar)
            guard byteCount <= room else { break }
            count += 1
        }
        return count
    }

    private static func escape(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var bytes: [UInt8] = []
        for scalar in scalars {
            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                if isPlain(byte) {
                    bytes.append(byte)
                } else {
                    bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "%")
    }
}
