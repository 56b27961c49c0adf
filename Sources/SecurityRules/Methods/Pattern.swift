// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CPatterns
import NIOConcurrencyHelpers

/// A regular expression, which takes time in proportion to the text.
final class Pattern: Sendable {
    /// Expressions that rules make of data are kept up to this number.
    private static let keptCountMax = 256
    private static let kept = NIOLockedValueBox<[String: Pattern]>([:])

    // RE2's patterns may be used by several threads at once.
    nonisolated(unsafe) private let pattern: OpaquePointer

    /// `nil` for what is not a regular expression.
    private init?(_ expression: String) {
        // RE2 of that time knows only the older way to name a group.
        var expression = expression.replacing("(?<", with: "(?P<")
        guard !expression.contains("\\C"),
            let pattern = expression.withUTF8({ text in
                text.withMemoryRebound(to: CChar.self) { firemeter_pattern_make($0.baseAddress, $0.count) }
            })
        else { return nil }
        self.pattern = pattern
    }

    deinit { firemeter_pattern_free(pattern) }

    /// Uses a pattern; a failure for what is not a regular expression.
    static func with(_ expression: String, _ use: (Pattern) -> RulesValue) -> RulesValue {
        guard let pattern = of(expression) else {
            return .failure(.other("Invalid regular expression pattern. Pattern: \(expression)."))
        }
        return use(pattern)
    }

    static func of(_ expression: String) -> Pattern? {
        if let known = kept.withLockedValue({ $0[expression] }) { return known }
        guard let new = Pattern(expression) else { return nil }
        kept.withLockedValue { kept in
            if kept.count >= keptCountMax { kept.removeAll() }
            kept[expression] = new
        }
        return new
    }

    /// Whether the whole text matches.
    func matches(_ text: String) -> Bool {
        Array(text.utf8CString.dropLast()).withUnsafeBufferPointer {
            firemeter_pattern_matches(pattern, $0.baseAddress, $0.count)
        }
    }

    /// The parts between matches; those at the end that are empty are dropped, as Java does.
    func splitting(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        var parts: [String] = []
        var start = 0
        for match in matches(in: bytes) {
            parts.append(String(decoding: bytes[start..<match.start], as: UTF8.self))
            start = match.end
        }
        parts.append(String(decoding: bytes[start...], as: UTF8.self))
        while parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
        return parts
    }

    /// Puts a text in the place of each match: `$1` in it stands for a group, and a backslash takes the meaning of what follows.
    func replacing(in text: String, with template: String) -> RulesValue {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var start = 0
        for match in matches(in: bytes) {
            result += bytes[start..<match.start]
            guard let replacement = match.expanded(Array(template.utf8), of: bytes, naming: group(named:)) else {
                return .failure(.missingGroup(template))
            }
            result += replacement
            start = match.end
        }
        result += bytes[start...]
        return .string(String(decoding: result, as: UTF8.self))
    }

    /// The number of a group with a name.
    private func group(named name: String) -> Int? {
        let number = name.withCString { firemeter_pattern_group(pattern, $0) }
        return number > 0 ? Int(number) : nil
    }

    private struct Match {
        /// Where the match and its groups begin and end in turn; -1 for a group without a part in it.
        let bounds: [Int]
        var start: Int { bounds[0] }
        var end: Int { bounds[1] }

        /// The template with groups in the place of their numbers and names; `nil` where it names one that there is not.
        func expanded(_ template: [UInt8], of text: [UInt8], naming group: (String) -> Int?) -> [UInt8]? {
            var result: [UInt8] = []
            var rest = template[...]
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                    result.append(escaped)
                } else if byte == UInt8(ascii: "$"), rest.first?.isDigit == true || rest.first == UInt8(ascii: "{") {
                    guard
                        let number = rest.first == UInt8(ascii: "{")
                            ? Self.name(&rest).flatMap(group) : self.number(&rest),
                        2 * number + 1 < bounds.count
                    else { return nil }
                    if bounds[2 * number] >= 0 { result += text[bounds[2 * number]..<bounds[2 * number + 1]] }
                } else {
                    result.append(byte)
                }
            }
            return result
        }

        /// Takes the digits of a group; no more than there are groups for.
        private func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
            guard let first = rest.popFirst() else { return nil }
            var number = Int(first - UInt8(ascii: "0"))
            while let digit = rest.first, digit.isDigit {
                let longer = number * 10 + Int(digit - UInt8(ascii: "0"))
                guard 2 * longer + 1 < bounds.count else { break }
                number = longer
                rest.removeFirst()
            }
            return number
        }

        private static func name(_ rest: inout ArraySlice<UInt8>) -> String? {
            guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
            defer { rest = rest[(end + 1)...] }
            return String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
        }
    }

    private func matches(in bytes: [UInt8]) -> [Match] {
        var matches: [Match] = []
        var start = 0
        while start <= bytes.count, let match = firstMatch(in: bytes, from: start) {
            matches.append(match)
            start = match.end > match.start ? match.end : match.end + bytes.characterLength(at: match.end)
        }
        return matches
    }

    private func firstMatch(in bytes: [UInt8], from start: Int) -> Match? {
        let count = 2 * (Int(firemeter_pattern_group_count(pattern)) + 1)
        var bounds = [Int](repeating: -1, count: count)
        let isFound = bytes.withUnsafeBytes { text in
            firemeter_pattern_find(
                pattern,
                text.baseAddress?.assumingMemoryBound(to: CChar.self),
                text.count,
                start,
                &bounds
            )
        }
        return isFound ? Match(bounds: bounds) : nil
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension [UInt8] {
    /// The bytes of the character that begins at a place; 1 at the end.
    fileprivate func characterLength(at place: Int) -> Int {
        guard place < count else { return 1 }
        return 1 + self[(place + 1)...].prefix { $0 & 0b1100_0000 == 0b1000_0000 }.count
    }
}
