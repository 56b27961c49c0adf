// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension HTMLReport {
    var screensSection: HTML? {
        guard let bytes = report.screenBytes else { return nil }
        let hits = report.screenHits
        // On a phone, the bytes are what is seen of a row.
        let strategies = bytes.heading.indices.filter {
            report.outcomes.map(\.strategy.name).contains(bytes.heading[$0])
        }
        let order = [0] + strategies + bytes.heading.indices.dropFirst().filter { !strategies.contains($0) }
        let rows = bytes.rows.enumerated().map { number, row in
            order.map { index -> HTML in
                let column = hits?.heading.firstIndex(of: bytes.heading[index])
                let note = column.flatMap { hits?.rows[number][$0] }.map { hits -> HTML in "<small>\(hits)</small>" }
                return "\(row[index])\(note)"
            }
        }
        let heading = ["screen"] + order.dropFirst().map { bytes.heading[$0] }
        let reads = report.screenReads.map { table -> HTML in
            .folded("Document reads by screen", content: HTML.table(table.heading, rows: table.rows))
        }
        return .section(
            "By screen",
            note: "Bytes downloaded for each screen with each strategy"
                + (hits == nil ? "." : "; below them, images \(report.hitsExplanation)."),
            content: "\(HTML.table(heading, rows: rows))\(reads)"
        )
    }
}
