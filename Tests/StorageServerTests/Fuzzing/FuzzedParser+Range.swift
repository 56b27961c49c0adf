// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore

@testable import StorageServer

extension FuzzedParser {
    /// The ranges of a header are within the object, hold every byte that is asked for, and none of them twice.
    static func checkRange(_ text: String) throws {
        for byteCount in [0, 1, 10, 1 << 40, .max] as [Int64] {
            let ranges = ranges(text, of: byteCount)
            try promise("ranges are within", ranges.allSatisfy { !$0.isEmpty && 0 <= $0.lowerBound })
            try promise("ranges end within", ranges.allSatisfy { $0.upperBound <= byteCount })
            let sorted = ranges.sorted { $0.lowerBound < $1.lowerBound }
            let isDisjoint = zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
            try promise("ranges are apart", isDisjoint)
        }
        let (byteCount, ranges) = (Int64(10), ranges(text, of: 10))
        guard let requested = RangeHeader(text)?.parts, !ranges.isEmpty else { return }
        let wanted = Set(requested.compactMap { $0.bytes(of: byteCount) }.joined())
        try promise("ranges hold what is wanted", Set(ranges.joined()) == wanted)
        let frame = MultipartRanges(ranges, of: byteCount, contentType: "a/b", boundary: "b")
        let sum = frame.parts.reduce(frame.ending.utf8.count) { $0 + $1.heading.utf8.count + $1.range.count }
        try promise("lengths are told", frame.byteCount == sum)
    }

    private static func ranges(_ text: String, of byteCount: Int64) -> [Range<Int64>] {
        switch ByteRange(header: text, objectByteCount: byteCount) {
        case .part(let range): [range]
        case .parts(let ranges): ranges
        case .whole, .nothing, .unsatisfiable: []
        }
    }
}
