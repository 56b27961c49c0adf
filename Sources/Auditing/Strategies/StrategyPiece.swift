// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Some characters of a strategy's text.
struct StrategyPiece {
    let text: String
    let start: Int

    var range: Range<Int> { start..<start + text.count }

    /// The pieces between separators, empty ones included.
    func split(by separator: Character) -> [StrategyPiece] {
        var start = start
        return text.split(separator: separator, omittingEmptySubsequences: false).map { part in
            defer { start += part.count + 1 }
            return StrategyPiece(text: String(part), start: start)
        }
    }
}
