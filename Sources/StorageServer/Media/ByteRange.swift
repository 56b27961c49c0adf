// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// What the `Range` header of a request asks for, applied to an object of a known size (RFC 9110 section 14).
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
        guard let wishes = header.flatMap(RangeHeader.init)?.parts else {
            self = .whole
            return
        }
        let ranges = Self.disjoint(wishes.compactMap { $0.bytes(of: objectByteCount) })
        if let first = ranges.first {
            self = ranges.count == 1 ? .part(first) : .parts(ranges)
        } else {
            self = objectByteCount == 0 && wishes.contains(where: \.isSuffix) ? .nothing : .unsatisfiable
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
