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
        let head = join(heading.map { "<th scope=\"col\">\($0)</th>" }, separator: "")
        let body = join(rows.map { row in "<tr>\(join(row.map { "<td>\($0)</td>" }, separator: ""))</tr>" })
        return "<div class=\"scroll\"><table><thead><tr>\(head)</tr></thead><tbody>\n\(body)\n</tbody></table></div>"
    }

    /// A share as CSS has it, to a thousandth: the same on every machine.
    static func percent(_ share: Double) -> String {
        let thousandths = Int((share * 100_000).rounded())
        let digits = String(abs(thousandths) % 1_000)
        let fraction = String(repeating: "0", count: 3 - digits.count) + digits
        return "\(thousandths < 0 ? "-" : "")\(abs(thousandths) / 1_000).\(fraction)%"
    }
}
