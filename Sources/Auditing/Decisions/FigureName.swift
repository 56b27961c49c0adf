// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The name of a figure in a report: the way to it in the report's JSON, such as `time.firstImage.p95`, or a short name.
///
/// Behind it, in braces, may stand which strategy or kind of view is meant: `bytes{strategy:disk,view:openFeed}`.
struct FigureName: Sendable, Hashable {
    /// The way to the figure in the JSON of a strategy.
    let path: String
    /// The strategy meant; `nil` for each.
    private(set) var strategy: String?

    /// Reads a name; `nil` when its braces are wrong.
    init?(_ text: String) {
        guard let brace = text.firstIndex(of: "{") else {
            path = ReportColumn.shortNames[text] ?? text
            return
        }
        guard text.last == "}" else { return nil }
        let name = String(text[..<brace])
        var path = ReportColumn.shortNames[name] ?? name
        // Strategies' names have colons and commas of their own: a tag ends where the next begins.
        for tag in Self.tags(of: text[text.index(after: brace)...].dropLast()) {
            switch tag.key {
            case "strategy": strategy = tag.value
            case "view" where SessionView.Kind(rawValue: tag.value) != nil: path = "views.\(tag.value).\(path)"
            default: return nil
            }
        }
        self.path = path
    }

    private static func tags(of text: Substring) -> [(key: String, value: String)] {
        var tags: [(key: String, value: String)] = []
        for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
            if let key = ["strategy", "view"].first(where: { piece.hasPrefix($0 + ":") }) {
                tags.append((key, String(piece.dropFirst(key.count + 1))))
            } else if tags.isEmpty {
                tags.append((String(piece), ""))
            } else {
                tags[tags.count - 1].value += ",\(piece)"
            }
        }
        return tags
    }
}
