// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// The coverage of a file of rules as a page for people: one document of HTML that loads nothing.
package struct CoveragePage {
    private let source: RulesSource
    private let coverage: RulesCoverage?
    private let project: String

    /// Creates a page; without coverage it shows the file alone.
    package init(of source: RulesSource, _ coverage: RulesCoverage?, project: String) {
        (self.source, self.coverage, self.project) = (source, coverage, project)
    }

    package var text: String {
        let nodes = coverage?.nodes ?? []
        let count = nodes.reduce(into: NodeCount()) { $0.add($1) }
        let limit =
            "Only the first \(RulesCoverage.requestCountMax) requests since the rules came into force are shown."
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Rule coverage of \(Markup.escape(project))</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <h1>Rule coverage of \(Markup.escape(project))</h1>
            <p>\(source.name.map { "\(Markup.escape($0)): " } ?? "")\
            \(count.evaluated) of \(count.all) expressions were evaluated.\
            \(coverage?.isFull == true ? " \(limit)" : "") Point at an expression to see its values.</p>
            <ul class="legend"><li><span class="e v">evaluated</span></li>
            <li><span class="e f">had an error</span></li>
            <li><span class="e n">never evaluated</span></li></ul>
            <pre>\(markup(of: nodes))</pre>
            </body>
            </html>

            """
    }

    private func markup(of nodes: [CoverageNode]) -> String {
        var markup = CoverageMarkup(SourceText(source.content))
        markup.add(nodes)
        return markup.finished
    }

    private static let style = """
        :root { color-scheme: light dark; --ok: #1a7f37; --bad: #b35900; --none: #c0262d; }
        @media (prefers-color-scheme: dark) { :root { --ok: #57d17b; --bad: #ffb454; --none: #ff7b80; } }
        body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
        h1 { font-size: 1.3rem; }
        pre { font: 14px/1.9 ui-monospace, monospace; overflow-x: auto; padding: 1rem; tab-size: 4;
          border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 6px; }
        .legend { display: flex; gap: 1.5rem; list-style: none; padding: 0; }
        .e { border-bottom: 2px solid var(--ok); cursor: help; }
        .e .e { border-bottom-width: 1px; }
        .f { border-bottom-color: var(--bad); }
        .n { border-bottom: 2px dashed var(--none); }
        pre .e:hover:not(:has(.e:hover)) { background: color-mix(in srgb, currentColor 18%, transparent); }
        """
}

/// The expressions of a file.
private struct NodeCount {
    private(set) var all = 0
    private(set) var evaluated = 0

    mutating func add(_ node: CoverageNode) {
        all += 1
        if node.isEvaluated { evaluated += 1 }
        for child in node.children { add(child) }
    }
}

/// The source with an element for each expression.
private struct CoverageMarkup {
    private let source: SourceText
    private var markup = ""
    private var place = 0

    init(_ source: SourceText) { self.source = source }

    var finished: String { markup + Markup.escape(source[SourceRange(start: place, end: source.bytes.count)]) }

    mutating func add(_ nodes: [CoverageNode]) {
        for node in nodes.sorted(by: { $0.range.start < $1.range.start }) {
            copy(upTo: node.range.start)
            let title = Markup.escape(node.tooltip.joined(separator: "\n"))
            markup += "<span class=\"e \(node.style)\" title=\"\(title)\">"
            add(node.children)
            copy(upTo: node.range.end)
            markup += "</span>"
        }
    }

    private mutating func copy(upTo end: Int) {
        guard end > place else { return }
        markup += Markup.escape(source[SourceRange(start: place, end: end)])
        place = end
    }
}

extension CoverageNode {
    /// Different values above which only their number is shown, as on the official emulator's page (1.19.9, 2026-11).
    private static let valueCountMax = 15
    private static let characterCountMax = 200

    fileprivate var isEvaluated: Bool { counts.contains { $0.value != nil } }

    fileprivate var style: String {
        if !isEvaluated { return "n" }
        let hasFailed = counts.contains { count in
            switch count.value {
            // Most conditions are unknown at first: that is not a mistake in the rules.
            case .failure(.unknown): false
            case let value: value?.isFailure == true
            }
        }
        return hasFailed ? "f" : "v"
    }

    /// The lines that say which values the expression had.
    fileprivate var tooltip: [String] {
        if counts.isEmpty { return ["Expression never evaluated"] }
        if counts.count >= Self.valueCountMax {
            return ["\(counts.count) different values returned \(counts.map(\.count).reduce(0, +).times)"]
        }
        return counts.map { count in
            switch count.value {
            case nil: "Expression short-circuited \(count.count.times)"
            case .failure(.unknown): "Not known before documents were read \(count.count.times)"
            case .failure(let failure): "Error '\(failure.text ?? "no value")' occurred \(count.count.times)"
            case .some(let value): "Value \(Self.short(value)) returned \(count.count.times)"
            }
        }
    }

    private static func short(_ value: RulesValue) -> String {
        var message = MessageText(.line)
        message.object { $0.add(value, in: SourceText("")) }
        let text = message.text
        return text.count <= characterCountMax ? text : "\(text.prefix(characterCountMax))…"
    }
}

extension Int {
    fileprivate var times: String { self == 1 ? "1 time" : "\(self) times" }
}
