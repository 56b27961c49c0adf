// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The bytes that a request's `Range` header asks for, applied to an object of a known size (RFC 9110 section 14).
enum ByteRange: Equatable {
    /// The whole object: no header, or one that is not understood and therefore ignored.
    case whole
    /// These bytes.
    case part(Range<Int64>)
    /// These bytes, two or more ranges of them that do not overlap, in the order of the request.
    case parts([Range<Int64>])
    /// The last bytes of an empty object, which can be had but not said in a `Content-Range`.
    case nothing
    /// None of the object's bytes can answer: 416.
    case unsatisfiable

    /// Applies a header; ranges that the object has nothing of are left out, and those that overlap become one.
    init(header: String?, objectByteCount: Int64) {
        guard let requested = header.flatMap(RangeHeader.init)?.parts else {
            self = .whole
            return
        }
        let ranges = Self.disjoint(requested.compactMap { $0.bytes(of: objectByteCount) })
        if let first = ranges.first {
            self = ranges.count == 1 ? .part(first) : .parts(ranges)
        } else {
            self = objectByteCount == 0 && requested.contains(where: \.isSuffix) ? .nothing : .unsatisfiable
        }
    }

    /// Unites ranges that share bytes at the place of the first of them, so that no byte is sent twice.
    private static func disjoint(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
        var result: [Range<Int64>] = []
        for range in ranges {
            guard let place = result.firstIndex(where: range.overlaps) else {
                result.append(range)
                continue
            }
            var union = range
            for met in result[place...] where met.overlaps(range) {
                union = min(union.lowerBound, met.lowerBound)..<max(union.upperBound, met.upperBound)
            }
            result[(place + 1)...].removeAll { $0.overlaps(range) }
            result[place] = union
        }
        return result
    }
}

extension RangeHeader.Part {
    /// Whether some of the last bytes are asked for.
    fileprivate var isSuffix: Bool {
        if case .last(let count) = self { count > 0 } else { false }
    }
}

/// The `Range` header of a request, taken apart but not yet applied to an object (RFC 9110 section 14.2).
struct RangeHeader: Equatable {
    /// The most ranges of a request; one that wants more gets the whole object, as the RFC advises against floods of
    /// small ranges (section 14.2).
    static let rangeCountMax = 32

    /// One of the ranges.
    enum Part: Equatable {
        /// From a byte on, through another or to the end.
        case from(Int64, through: Int64?)
        /// As many bytes as named, at the end.
        case last(Int64)
    }

    /// The ranges in the order of the request, at least one.
    let parts: [Part]

    /// Returns `nil` for a header that is not understood, and must therefore be ignored.
    init?(_ header: String) {
        let unit = "bytes="
        guard header.utf8.count >= unit.utf8.count, header.prefix(unit.count).lowercased() == unit else { return nil }
        var parts: [Part] = []
        for element in header.dropFirst(unit.count).split(separator: ",") {
            let text = Self.trimmed(element)
            // Empty elements of a list mean nothing (section 5.6.1.2).
            if text.isEmpty { continue }
            guard parts.count < Self.rangeCountMax, let part = Self.part(text) else { return nil }
            parts.append(part)
        }
        guard !parts.isEmpty else { return nil }
        self.parts = parts
    }

    private static func part(_ text: Substring) -> Part? {
        let sides = text.split(separator: "-", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ $0.utf8.allSatisfy(isDigit) }) else { return nil }
        switch (number(sides[0]), number(sides[1])) {
        case (nil, nil): return nil
        case (nil, let count?): return .last(count)
        case (let first?, let last?) where first > last: return nil
        case (let first?, let last): return .from(first, through: last)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Digits too many for the type lie behind the end of every object.
    private static func number(_ digits: Substring) -> Int64? {
        digits.isEmpty ? nil : Int64(digits) ?? .max
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

extension RangeHeader.Part {
    /// The bytes of an object of a known size that are meant; `nil` when it has none of them.
    func bytes(of objectByteCount: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first, let last):
            guard first < objectByteCount else { return nil }
            return first..<(min(last ?? .max, objectByteCount - 1) + 1)
        case .last(let count):
            guard count > 0, objectByteCount > 0 else { return nil }
            return max(0, objectByteCount - count)..<objectByteCount
        }
    }
}
