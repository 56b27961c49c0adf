// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A problem in the text of a strategy, and its place.
package struct StrategyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text.
    package let text: String
    /// The characters that are wrong.
    package let range: Range<Int>
    /// The problem, and the correct form.
    package let message: String

    /// The message, the text, and a caret under what is wrong.
    package var description: String {
        let caret = String(repeating: " ", count: range.lowerBound) + String(repeating: "^", count: max(1, range.count))
        return "\(message)\n  \(text)\n  \(caret)"
    }
}
