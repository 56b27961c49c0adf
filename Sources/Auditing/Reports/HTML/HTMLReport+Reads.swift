// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LogImport

extension HTMLReport {
    var readsSection: HTML? {
        guard let table = report.readsTable else { return nil }
        let causes = report.readCauses.map { cause -> HTML in "<li><b>\(cause.rawValue)</b>\(cause.explanation)</li>" }
        let repeated = report.repeatedReads.map { sentence -> HTML in "<p>\(sentence)</p>" }
        let remedy = report.readRemedy.map { remedy -> HTML in
            "<dl><dt>try</dt><dd><code>\(remedy.strategy)</code>: \(remedy.text)</dd></dl>"
        }
        let advice: HTML = repeated.isEmpty ? "" : "<p class=\"soft\">\(Refactoring.listening.advice)</p>"
        let finding: HTML =
            repeated.isEmpty && remedy == nil
            ? ""
            : """
            <div class="finding" style="border-color:var(--needed)">\(HTML.join(repeated))\(advice)\(remedy)</div>
            """
        return .section(
            "Why document reads were billed",
            note: "As recorded; every billed read has one cause.",
            content:
                "\(HTML.table(table.heading, rows: table.rows))\n<ul class=\"legend\">\(HTML.join(causes, separator: ""))</ul>\n\(finding)"
        )
    }
}
