// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The JSON form of a string.
enum JSONString {
    private static let hexDigits = Array("0123456789abcdef".utf8)

    /// Returns the text in quotes, with only what JSON demands escaped.
    static func quote(_ text: String) -> [UInt8] {
        var bytes = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"):
                bytes += Array("\\n".utf8)
            case 0..<0x20:
                bytes += Array("\\u00".utf8) + [hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            default:
                bytes.append(byte)
            }
        }
        return bytes + [UInt8(ascii: "\"")]
    }
}
