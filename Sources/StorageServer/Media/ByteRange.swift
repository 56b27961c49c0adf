// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// What the `Range` header of a request asks for, applied to an object of a known size (RFC 9110 section 14).
enum ByteRange: Equatable {
    /// The whole object: no header, or one that is not understood and therefore ignored.
    case whole
    /// These bytes.
    case part(Range<Int64>)
    /// None of the object's bytes can answer: 416.
    case unsatisfiable

    /// Applies a header; several ranges count as one that is not understood.
    init(header: String?, objectByteCount: Int64) {
        guard let (first, last) = header.flatMap(Self.parse) else {
            self = .whole
            return
        }
        switch (first, last) {
        case (nil, nil): self = .whole
        case (let first?, let last?) where first > last: self = .whole
        case (let first?, let last): self = Self.from(first, through: last ?? .max, of: objectByteCount)
        case (nil, let suffix?): self = Self.last(suffix, of: objectByteCount)
        }
    }

    private static func from(_ first: Int64, through last: Int64, of byteCount: Int64) -> Self {
        guard first < byteCount else { return .unsatisfiable }
        return .part(first..<(min(last, byteCount - 1) + 1))
    }

    private static func last(_ count: Int64, of byteCount: Int64) -> Self {
        guard count > 0 else { return .unsatisfiable }
        // The last bytes of nothing can be had, but not said in a Content-Range.
        return byteCount == 0 ? .whole : .part(max(0, byteCount - count)..<byteCount)
    }

    private static func parse(_ header: String) -> (first: Int64?, last: Int64?)? {
        let unit = "bytes="
        guard header.lowercased().hasPrefix(unit) else { return nil }
        let sides = header.dropFirst(unit.count).split(separator: "-", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ $0.utf8.allSatisfy(isDigit) }) else { return nil }
        return (number(sides[0]), number(sides[1]))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Digits too many for the type lie behind the end of every object.
    private static func number(_ digits: Substring) -> Int64? {
        digits.isEmpty ? nil : Int64(digits) ?? .max
    }
}
