// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Text with tags: what comes from elsewhere is text, and never a tag.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    /// The text as it stands in a file.
    let source: String

    init(stringLiteral literal: String) { source = literal }

    init(stringInterpolation: Interpolation) { source = stringInterpolation.source }

    private init(source: String) { self.source = source }

    /// Takes text that is right as it is, such as a style sheet.
    static func raw(_ source: String) -> HTML { HTML(source: source) }

    /// All of them, one after the other.
    static func join(_ parts: some Sequence<HTML>, separator: String = "\n") -> HTML {
        HTML(source: parts.map(\.source).joined(separator: separator))
    }

    /// A literal's tags stay, its interpolated text is escaped.
    struct Interpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { source += literal }

        mutating func appendInterpolation(_ text: String) { source += text.escapedForXML }

        mutating func appendInterpolation(_ number: Int) { source += String(number) }

        mutating func appendInterpolation(_ html: HTML) { source += html.source }

        mutating func appendInterpolation(_ html: HTML?) { source += html?.source ?? "" }
    }
}

extension HTML {
    /// A part of the page with a heading, and a sentence that says what it shows.
    static func section(_ title: String, note: String, content: HTML) -> HTML {
        """
        <section>
        <h2>\(title)</h2>
        <p class="soft">\(note)</p>
        \(content)
        </section>
        """
    }

    /// A table, which may be wider than the page; its first column is text.
    static func table(_ heading: [String], rows: [[String]]) -> HTML {
        table(heading, rows: rows.map { row -> [HTML] in row.map(breakable) })
    }

    /// A table of cells with tags.
    static func table(_ heading: [String], rows: [[HTML]]) -> HTML {
        let head = join(heading.map { "<th scope=\"col\">\(breakable($0))</th>" }, separator: "")
        let body = join(rows.map { row in "<tr>\(join(row.map { "<td>\($0)</td>" }, separator: ""))</tr>" })
        return "<div class=\"scroll\"><table><thead><tr>\(head)</tr></thead><tbody>\n\(body)\n</tbody></table></div>"
    }

    /// A part of the page that is shown when its summary is chosen.
    static func folded(_ summary: HTML, content: HTML) -> HTML {
        "<details><summary>\(summary)</summary>\n\(content)\n</details>"
    }

    /// Text that may be broken after each part of a strategy, such as `thumbnails+memory+disk`.
    static func breakable(_ text: String) -> HTML {
        let parts = text.split(separator: "+", omittingEmptySubsequences: false).map { part -> HTML in "\(String(part))"
        }
        return join(parts, separator: text.contains(" + ") ? "+" : "+<wbr>")
    }

    /// A verdict, which color alone does not say.
    static func verdict(_ text: String, isGood: Bool) -> HTML {
        "<span class=\"\(isGood ? "good" : "bad")\">\(isGood ? "\u{2713}" : "\u{2717}") \(text)</span>"
    }

    /// A share as CSS has it, to a thousandth: the same on every machine.
    static func percent(_ share: Double) -> String {
        let thousandths = Int((share * 100_000).rounded())
        let digits = String(abs(thousandths) % 1_000)
        let fraction = String(repeating: "0", count: 3 - digits.count) + digits
        return "\(thousandths < 0 ? "-" : "")\(abs(thousandths) / 1_000).\(fraction)%"
    }
}
