// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The forms of a report.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// Tables for a terminal.
    case table
    /// All figures, of schema `firemeter.report/1`.
    case json
    /// A line for each strategy, a column for each figure.
    case csv
    /// A test case for each bound of a budget.
    case junit
    /// One file for people, with charts; it loads nothing.
    case html
    /// A comment on a pull request.
    case markdown

    /// The form that a file is to have by the end of its name; `nil` when that says nothing.
    package init?(path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "json": self = .json
        case "csv": self = .csv
        case "xml": self = .junit
        case "html", "htm": self = .html
        case "md", "markdown": self = .markdown
        case "txt": self = .table
        default: return nil
        }
    }
}

extension ReplayReport {
    /// The report in a form; the same report gives the same bytes.
    package func text(as format: ReportFormat) throws -> String {
        switch format {
        case .table: table
        case .json: try json()
        case .csv: csv
        case .junit: try junit()
        case .html: HTMLReport(report: self).html
        case .markdown: markdown
        }
    }
}
