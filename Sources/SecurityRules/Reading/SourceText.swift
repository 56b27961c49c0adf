// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The text of a file of rules, and how its places are named.
struct SourceText: Sendable {
    let bytes: [UInt8]
    private let isASCII: Bool
    /// Where each line begins.
    private let lineStarts: [Int]
    /// The characters before each line.
    private let characterCounts: [Int]

    init(_ text: String) {
        bytes = Array(text.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
        lineStarts = [0] + bytes.indices.filter { [bytes] in bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        var counts = [0]
        for (start, end) in zip(lineStarts, lineStarts.dropFirst()) {
            counts.append(counts[counts.count - 1] + bytes[start..<end].characterCount)
        }
        characterCounts = counts
    }

    subscript(range: SourceRange) -> String { String(decoding: bytes[range.start..<range.end], as: UTF8.self) }

    /// The number of a place's line, from 1.
    func line(of place: Int) -> Int {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= place { low = middle } else { high = middle }
        }
        return low + 1
    }

    func position(of range: SourceRange) -> RulesIssue.Position {
        let line = line(of: range.start)
        let offset = characterCount(upTo: range.start)
        return RulesIssue.Position(
            line: line,
            column: offset - characterCount(upTo: lineStarts[line - 1]) + 1,
            offset: offset,
            endOffset: characterCount(upTo: range.end) - 1
        )
    }

    func error(_ text: String, at range: SourceRange) -> RulesIssue {
        RulesIssue(severity: .error, text: text, position: position(of: range))
    }

    private func characterCount(upTo place: Int) -> Int {
        if isASCII { return place }
        let line = line(of: place) - 1
        return characterCounts[line] + bytes[lineStarts[line]..<place].characterCount
    }
}

extension ArraySlice<UInt8> {
    /// Bytes that continue a character of UTF-8 are not counted.
    fileprivate var characterCount: Int { reduce(0) { $0 + ($1 & 0b1100_0000 == 0b1000_0000 ? 0 : 1) } }
}
