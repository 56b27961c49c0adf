// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The text of `grpc-message`: UTF-8 with all but printable ASCII, and the percent sign, escaped.
enum StatusMessageCoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    static func encode(_ message: String) -> String {
        guard message.utf8.contains(where: { !isPlain($0) }) else { return message }
        var bytes: [UInt8] = []
        for byte in message.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "%")
    }
}
