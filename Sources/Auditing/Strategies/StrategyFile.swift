// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

extension Strategy {
    /// The schema of files of strategies.
    static let fileSchema = "firemeter.strategies/1"

    /// Reads the strategies of a file: `{"schema":"firemeter.strategies/1","strategies":[{"name":…,"strategy":…}]}`.
    ///
    /// A strategy without a name bears its text.
    package static func file(at path: String) throws(AuditError) -> [Strategy] {
        let file = try JSONFile(path, what: "strategies", schema: fileSchema)
        guard let elements = file.value["strategies"]?.array, !elements.isEmpty else {
            throw file.wrong(["strategies"], problem: "'strategies' must list at least one")
        }
        var strategies: [Strategy] = []
        for (index, element) in elements.enumerated() {
            let part = ["strategies", String(index), "strategy"]
            guard let text = element["strategy"]?.string else {
                throw file.wrong(part, problem: "expected a 'strategy' such as 'thumbnails+memory:50MB'")
            }
            do throws(StrategyError) {
                var strategy = try Strategy(text)
                if let name = element["name"]?.string { strategy.name = name }
                strategies.append(strategy)
            } catch {
                throw file.wrong(part, problem: error.description)
            }
        }
        return strategies
    }
}

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
