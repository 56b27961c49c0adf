// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

extension ReplayReport {
    /// The verdicts of the budget as JUnit's XML: a test case for each bound and strategy.
    func junit() throws(AuditError) -> String {
        guard let budget else {
            throw AuditError(
                code: .usage,
                description: "a report in the form junit tells how a budget is kept; name one with --budget"
            )
        }
        let counts = "tests=\"\(budget.verdicts.count)\" failures=\"\(budget.breaches.count)\""
        let cases = budget.verdicts.map { verdict in
            let head =
                "    <testcase classname=\"\(verdict.strategy.escapedForXML)\" name=\"\(verdict.bound.escapedForXML)\""
                + " file=\"\(budget.path.escapedForXML)\" line=\"\(verdict.line)\""
            guard !verdict.isKept else { return head + "/>\n" }
            return head + ">\n      <failure message=\"\(verdict.explanation.escapedForXML)\"/>\n    </testcase>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="audit replay" \(counts)>
              <testsuite name="\(budget.path.escapedForXML)" \(counts)>
            \(cases.joined())  </testsuite>
            </testsuites>

            """
    }
}

extension String {
    /// The text as it stands in XML and HTML, in attributes, too; control characters, which XML forbids, are left out.
    var escapedForXML: String {
        Markup.escape(self) { scalar in
            switch scalar {
            case "\t", "\n", "\r": " "
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": ""
            default: nil
            }
        }
    }
}
