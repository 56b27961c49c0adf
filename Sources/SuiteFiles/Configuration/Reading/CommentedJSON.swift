// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// JSON with comments: `//` to the line's end and `/* */`, outside strings.
///
/// All else is strict, without commas after the last element. Source: firebase-tools 15.28.1, `src/loadCJSON.ts`, and
/// cjson 0.3, `index.js`.
package enum CommentedJSON {
    /// A value, and the place of the first key that its object has twice.
    struct Reading {
        let value: JSONValue
        let repeatedKey: String?
    }

    /// Reads a text; of a repeated key the last value counts, as in JavaScript.
    ///
    /// - Parameter text: UTF-8 outside of comments; a byte order mark may lead it.
    /// - Returns: The value.
    /// - Throws: `SuiteConfigurationError` with the line and the column.
    static func read(_ text: [UInt8]) throws(SuiteConfigurationError) -> Reading {
        let plain = blankingComments(in: text)
        do {
            return Reading(value: try JSONValue(parsing: plain), repeatedKey: nil)
        } catch let strict {
            do {
                let value = try JSONValue(parsing: plain, allowsRepeatedKeys: true)
                return Reading(value: value, repeatedKey: place(of: strict, in: plain))
            } catch {
                throw .badFile("\(place(of: error, in: plain)): \(error.message)")
            }
        }
    }

    /// The text with spaces for comments, so that every place stays where it was.
    package static func blankingComments(in text: [UInt8]) -> [UInt8] {
        var result = text
        var scanner = CommentScanner(hasMark: text.starts(with: byteOrderMark))
        for position in text.indices where scanner.isComment(text[position], next: text.element(after: position)) {
            if text[position] != UInt8(ascii: "\n") { result[position] = UInt8(ascii: " ") }
        }
        return result
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func place(of error: JSONError, in text: [UInt8]) -> String {
        let before = text.prefix(error.column - 1)
        let line = before[(before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)...]
        // The bytes that continue a character are not columns of their own.
        let column = 1 + line.count { $0 & 0xC0 != 0x80 }
        return "line \(LocatedJSON.line(of: error, in: text)), column \(column)"
    }
}

extension [UInt8] {
    fileprivate func element(after position: Int) -> UInt8? {
        position + 1 < count ? self[position + 1] : nil
    }
}

/// Finds the comments of a text, a byte at a time.
private struct CommentScanner {
    private enum State {
        /// The bytes of the mark that are still to come.
        case mark(Int)
        case code
        case string
        case escape
        case line
        case block
        /// Before the second byte of a block's opening or of its end.
        case delimiter(closes: Bool)
    }

    private var state: State

    init(hasMark: Bool) { state = hasMark ? .mark(3) : .code }

    /// Whether a byte belongs to a comment, or to the mark.
    mutating func isComment(_ byte: UInt8, next: UInt8?) -> Bool {
        switch state {
        case .mark(let count):
            state = count > 1 ? .mark(count - 1) : .code
            return true
        case .code: return opensComment(byte, next: next)
        case .string:
            if byte == UInt8(ascii: "\\") { state = .escape } else if byte == UInt8(ascii: "\"") { state = .code }
            return false
        case .escape:
            state = .string
            return false
        case .line:
            if byte == UInt8(ascii: "\n") { state = .code }
            return true
        case .block:
            if byte == UInt8(ascii: "*"), next == UInt8(ascii: "/") { state = .delimiter(closes: true) }
            return true
        case .delimiter(let closes):
            state = closes ? .code : .block
            return true
        }
    }

    private mutating func opensComment(_ byte: UInt8, next: UInt8?) -> Bool {
        switch (byte, next) {
        case (UInt8(ascii: "/"), UInt8(ascii: "/")): state = .line
        case (UInt8(ascii: "/"), UInt8(ascii: "*")): state = .delimiter(closes: false)
        case (UInt8(ascii: "\""), _):
            state = .string
            return false
        default: return false
        }
        return true
    }
}
