// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// What the header fields around a multipart body say.
enum MultipartHeader {
    /// The boundary that a content type names: bare, or between double or single quotes; clients use all three.
    static func boundary(of contentType: String) -> String? {
        for parameter in contentType.split(separator: ";").dropFirst() {
            let sides = parameter.split(separator: "=", maxSplits: 1).map(trimmed)
            guard sides.count == 2, sides[0].lowercased() == "boundary" else { continue }
            let value = unquoted(sides[1])
            return value.isEmpty ? nil : String(value)
        }
        return nil
    }

    /// The content type among the header lines of a part, which may come in any order and case.
    static func contentType(in headers: ArraySlice<UInt8>) -> String? {
        for line in headers.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) {
            let sides = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1).map(trimmed)
            guard sides.count == 2, sides[0].lowercased() == "content-type" else { continue }
            return String(sides[1])
        }
        return nil
    }

    private static func unquoted(_ value: Substring) -> Substring {
        guard value.count > 1, let quote = value.first, quote == "\"" || quote == "'", value.last == quote else {
            return value
        }
        return value.dropFirst().dropLast()
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
