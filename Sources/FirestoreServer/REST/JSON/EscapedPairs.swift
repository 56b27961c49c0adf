// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Characters that JSON writes as two escapes, such as `\ud840\udc00`.
///
/// SwiftProtobuf 1.39.0 (`JSONScanner.swift`) reads those of every second plane as others, so they are not left to it.
enum EscapedPairs {
    /// A backslash, a `u` and four digits.
    private static let escapeByteCount = 6

    /// Returns JSON with such characters as themselves, and all else as it is.
    static func resolved(in json: [UInt8]) -> [UInt8] {
        guard var escape = json.firstIndex(of: UInt8(ascii: "\\")) else { return json }
        var result: [UInt8] = []
        var copied = 0
        while escape + 1 < json.count {
            if let scalar = scalar(in: json, at: escape) {
                result += json[copied..<escape]
                result += String(Character(scalar)).utf8
                copied = escape + 2 * escapeByteCount
                escape = copied
            } else {
                // The escaped character may be a backslash.
                escape += 2
            }
            guard let next = json[min(escape, json.count)...].firstIndex(of: UInt8(ascii: "\\")) else { break }
            escape = next
        }
        return copied == 0 ? json : result + json[copied...]
    }

    /// The character whose two escapes begin there; `nil` where none does.
    private static func scalar(in json: [UInt8], at position: Int) -> Unicode.Scalar? {
        guard let high = unit(in: json, at: position), UTF16.isLeadSurrogate(high),
            let low = unit(in: json, at: position + escapeByteCount), UTF16.isTrailSurrogate(low)
        else { return nil }
        return UTF16.decode(UTF16.EncodedScalar([high, low]))
    }

    /// The number in an escape, which has four digits.
    private static func unit(in json: [UInt8], at position: Int) -> UInt16? {
        guard position + escapeByteCount <= json.count, json[position] == UInt8(ascii: "\\"),
            json[position + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for byte in json[(position + 2)..<(position + escapeByteCount)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
