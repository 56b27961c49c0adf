// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Columns of text: the first to the left, the others to the right.
struct TextTable {
    private var rows: [[String]]

    init(heading: [String]) { rows = [heading] }

    init(_ cells: (heading: [String], rows: [[String]])) {
        self.init(heading: cells.heading)
        for row in cells.rows { add(row) }
    }

    /// Adds a row of as many cells as the heading has.
    mutating func add(_ row: [String]) {
        precondition(row.count == rows[0].count, "\(row.count) cells in a table of \(rows[0].count) columns")
        rows.append(row)
    }

    /// The table, a rule under its heading, without a line break at its end.
    var rendered: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            row.enumerated().map { column, text in
                let padded = text.padded(to: widths[column])
                return column == 0 ? padded : padded.dropFirst(text.count) + text
            }.joined(separator: "  ")
        }
        let rule = String(repeating: "-", count: lines[0].count)
        return ([lines[0], rule] + lines.dropFirst()).joined(separator: "\n")
    }
}

extension TextTable {
    /// A table as several, one under the other, each as wide as fits and with the first column again.
    static func blocks(_ cells: (heading: [String], rows: [[String]]), width: Int) -> String {
        let rows = [cells.heading] + cells.rows
        let widths = cells.heading.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var blocks: [[Int]] = [[]]
        var used = widths[0]
        for column in widths.indices.dropFirst() {
            if used + 2 + widths[column] > width, blocks.last?.isEmpty == false {
                blocks.append([])
                used = widths[0]
            }
            blocks[blocks.count - 1].append(column)
            used += 2 + widths[column]
        }
        return blocks.map { columns in
            let parts = rows.map { row in [row[0]] + columns.map { row[$0] } }
            return TextTable((parts[0], Array(parts.dropFirst()))).rendered
        }.joined(separator: "\n\n")
    }
}

extension String {
    /// The text in lines of at most this width, all of them indented; a longer word has a line of its own.
    func wrapped(to width: Int, indent: String) -> String {
        var lines: [String] = []
        for word in split(separator: " ") {
            if let line = lines.last, line.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(indent + word)
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The text with its first letter in lower case.
    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }

    /// The text and as many spaces as are missing to a width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

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
