// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A listing query in bytes: the range of names to visit, and where they are cut.
struct ListingRange {
    // No name is empty, and no byte of UTF-8 is 0xFF: these bounds hold every name.
    private static let least = Data([0])
    private static let beyondAll = Data([0xFF])

    private let prefix: Data
    private let delimiter: Data
    /// The least name to visit.
    let lower: Data
    /// The least name not to visit.
    let upper: Data
    /// The version that the page before ended with; this and older ones of the least name are not visited.
    let lastGeneration: Int64?

    init(_ query: ObjectListQuery) throws {
        prefix = Data(query.prefix.utf8)
        delimiter = Data((query.delimiter ?? "").utf8)
        // The prefix of every name that the pattern describes.
        let known = Data((query.glob?.literalPrefix ?? "").utf8)
        let ends = [Self.end(of: prefix), Self.end(of: known), query.endOffset.map { Data($0.utf8) } ?? Self.beyondAll]
        upper = ends.min(by: Self.precedes) ?? Self.beyondAll
        var starts = [Self.least, prefix, known, Data((query.startOffset ?? "").utf8)]
        let token = try query.pageToken.map(PageToken.init(decoding:))
        lastGeneration = token?.generation
        if let token {
            let next = token.generation == nil ? token.entry + [0] : token.entry
            starts.append(Self.commonPrefix(of: token.entry, after: prefix, delimiter: delimiter).map(Self.end) ?? next)
        }
        lower = starts.max(by: Self.precedes) ?? Self.least
    }

    /// Returns the part of a name up to and including the first delimiter after the prefix; `nil` without one.
    func commonPrefix(of name: Data) -> Data? {
        Self.commonPrefix(of: name, after: prefix, delimiter: delimiter)
    }

    private static func commonPrefix(of name: Data, after prefix: Data, delimiter: Data) -> Data? {
        guard !delimiter.isEmpty, name.starts(with: prefix) else { return nil }
        let rest = name.startIndex + prefix.count..<name.endIndex
        return name.range(of: delimiter, in: rest).map { Data(name[..<$0.upperBound]) }
    }

    /// Returns the least byte string that is greater than all that begin with these bytes.
    static func end(of bytes: Data) -> Data {
        // UTF-8 has no 0xFF, so the last byte can always be raised.
        guard let last = bytes.last else { return beyondAll }
        return bytes.dropLast() + [last + 1]
    }

    private static func precedes(_ left: Data, _ right: Data) -> Bool {
        left.lexicographicallyPrecedes(right)
    }
}
