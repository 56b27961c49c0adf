// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// HPACK's Huffman code for the characters that header values are made of (RFC 7541, appendix B).
///
/// The code is canonical: it follows from the lengths alone. The codes of control characters and of bytes above 127
/// come after all of these, except NUL's; a string with any of them reads up to it.
enum HuffmanCode {
    private static let charactersByLength: [(length: Int, characters: String)] = [
        (5, "012aceiost"),
        (6, " %-./3456789=A_bdfghlmnpru"),
        (7, ":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz"),
        (8, "&*,;XZ"),
        (10, "!\"()?"),
        (11, "'+|"),
        (12, "#>"),
        (13, "\0$@[]~"),
        (14, "^}"),
        (15, "<`{"),
        (19, "\\"),
    ]

    private struct Group {
        var length: Int
        var firstCode: UInt32
        var characters: [UInt8]
    }

    private static let groups: [Group] = {
        var code: UInt32 = 0
        var length = 0
        return charactersByLength.map { entry in
            code <<= UInt32(entry.length - length)
            length = entry.length
            defer { code += UInt32(entry.characters.utf8.count) }
            return Group(length: entry.length, firstCode: code, characters: Array(entry.characters.utf8))
        }
    }()

    static func decode(_ bytes: UnsafeRawBufferPointer) -> String {
        var decoded: [UInt8] = []
        var code: UInt32 = 0
        var length = 0
        for byte in bytes {
            for bit in (0..<8).reversed() {
                code = code << 1 | UInt32(byte >> UInt8(bit) & 1)
                length += 1
                guard let character = character(code, length) else { continue }
                decoded.append(character)
                code = 0
                length = 0
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func character(_ code: UInt32, _ length: Int) -> UInt8? {
        guard let group = groups.first(where: { $0.length == length }), code >= group.firstCode else { return nil }
        let index = Int(code - group.firstCode)
        return index < group.characters.count ? group.characters[index] : nil
    }
}
