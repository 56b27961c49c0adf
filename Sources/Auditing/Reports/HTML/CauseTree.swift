// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// From each cause of an outcome's bytes to the screens and the objects that they were of, folded.
struct CauseTree {
    /// Parts beyond these are added up.
    private static let partCountMax = 12

    private let subject: String
    private let tally: CauseTally

    /// `nil` where no cause is known.
    init?(of report: ReplayReport) {
        guard let outcome = report.examined, let causes = outcome.causes, causes.byteCount > 0 else { return nil }
        (subject, tally) = (outcome.subject, causes)
    }

    var html: HTML {
        let causes = DownloadCause.allCases.filter { tally.amount(of: $0).byteCount > 0 }
            .sorted { tally.amount(of: $0).byteCount > tally.amount(of: $1).byteCount }
        let branches = causes.map { cause in
            HTML.folded(
                line("\(cause.title)", color: cause.rawValue, amount: tally.amount(of: cause)),
                content: screens(of: cause)
            )
        }
        return """
            <h3>Where the bytes of \(HTML.breakable(subject)) went: by cause, screen and object</h3>
            <div class="tree">\(HTML.join(branches))</div>
            """
    }

    private func screens(of cause: DownloadCause) -> HTML {
        let screens = tally.topScreens(of: cause)
        let shown = screens.prefix(Self.partCountMax).map { screen -> HTML in
            let summary = line("\(screen.name)", color: nil, amount: screen.amount)
            let objects = tally.topObjects(of: cause, on: screen.name)
            return objects.isEmpty ? "<p class=\"leaf\">\(summary)</p>" : .folded(summary, content: table(objects))
        }
        return "\(HTML.join(shown))\(rest(of: screens, noun: "screen"))"
    }

    private func table(_ objects: [CauseTally.Part]) -> HTML {
        let largest = objects.map(\.amount.byteCount).max()
        let rows = objects.prefix(Self.partCountMax).map { object in
            [
                object.name, Figure.bytes(object.amount.byteCount, largest: largest),
                Figure.count(object.amount.responseCount),
            ]
        }
        return "\(HTML.table(["object", "bytes", "times"], rows: rows))\(rest(of: objects, noun: "object"))"
    }

    private func rest(of parts: [CauseTally.Part], noun: String) -> HTML? {
        let rest = parts.dropFirst(Self.partCountMax)
        guard !rest.isEmpty else { return nil }
        let byteCount = rest.reduce(0) { $0 + $1.amount.byteCount }
        return
            "<p class=\"soft\">and \(Figure.counted(Int64(rest.count), noun: "\(noun)")) more, \(Figure.bytes(byteCount))</p>"
    }

    private func line(_ name: HTML, color: String?, amount: CauseTally.Amount) -> HTML {
        let mark = color.map { color -> HTML in "<i style=\"background:var(--\(color))\"></i>" }
        let share = 100 * Double(amount.byteCount) / Double(max(1, tally.byteCount))
        return """
            \(mark)<span>\(name)</span><span class="value">\(Figure.bytes(amount.byteCount, largest: tally.byteCount)), \
            \(Figure.percent(share))</span>
            """
    }
}
