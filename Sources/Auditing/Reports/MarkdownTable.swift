// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A table in Markdown as GitHub and GitLab have it: the first column to the left, the others to the right.
struct MarkdownTable {
    private var lines: [String]

    init(heading: [String]) {
        lines = [Self.line(heading), Self.line(heading.indices.map { $0 == 0 ? "---" : "---:" })]
    }

    mutating func add(_ row: [String]) { lines.append(Self.line(row.map(\.markdownCell))) }

    /// The table and a line break.
    var rendered: String { lines.joined(separator: "\n") + "\n" }

    private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}

extension String {
    /// The text without what would end a cell, or begin a tag.
    var markdownCell: String {
        reduce(into: "") { text, character in
            switch character {
            case "|": text += "\\|"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\n", "\r", "\r\n": text += " "
            default: text.append(character)
            }
        }
    }

    /// The text without what would end a comment.
    var markdownComment: String { filter { $0 != ">" && $0 != "<" && !$0.isNewline } }
}
