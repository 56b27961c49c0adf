// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The name of a figure in a report: the way to it in the report's JSON, such as `time.firstImage.p95`, or a short name.
///
/// Behind it, in braces, may stand which strategy or kind of view is meant: `bytes{strategy:disk,view:openFeed}`.
struct FigureName: Sendable, Hashable {
    /// What a figure counts.
    enum Unit: Sendable {
        case bytes
        case milliseconds
        case percent
        case dollars
        case count
        case ratio
    }

    /// Short names, and what they stand for.
    static let short = [
        "bytes": "bytes.body",
        "class_a": "billed.classA",
        "class_b": "billed.classB",
        "complete_p50": "time.complete.p50",
        "complete_p95": "time.complete.p95",
        "cost": "cost.usdPerMonth",
        "doc_reads": "billed.documentReads",
        "layout_p50": "time.layout.p50",
        "layout_p95": "time.layout.p95",
        "quota.downloadPerDay": "quota.downloadPercentPerDay",
        "ttfi_p50": "time.firstImage.p50",
        "ttfi_p95": "time.firstImage.p95",
        "wasted": "wastedBytes",
        "wire": "bytes.wire",
    ]

    /// The way to the figure in what the JSON tells of a strategy.
    let path: String
    /// The strategy meant; `nil` for each.
    private(set) var strategy: String?

    /// Reads a name; `nil` when its braces are wrong.
    init?(_ text: String) {
        guard let brace = text.firstIndex(of: "{") else {
            path = Self.short[text] ?? text
            return
        }
        guard text.last == "}" else { return nil }
        let name = String(text[..<brace])
        var path = Self.short[name] ?? name
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

    /// What the figure counts, by its name.
    static func unit(of path: String) -> Unit {
        let last = path.split(separator: ".").last ?? ""
        if path.contains("time.") { return .milliseconds }
        if path.contains("bytes.") || path.hasPrefix("waste") || last.hasSuffix("Bytes") { return .bytes }
        if last.lowercased().contains("percent") { return .percent }
        if last.hasPrefix("usd") { return .dollars }
        return last.lowercased().contains("ratio") ? .ratio : .count
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
