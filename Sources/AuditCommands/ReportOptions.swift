// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import Basics
import Foundation

/// Where a report goes, in which forms, and what it is compared with.
struct ReportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The form of the report: \(ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")). Default: table, or "
                + "what the name of the --output says.",
            valueName: "form"
        )
    )
    var format: ReportFormat?
    @Option(
        name: .customLong("output"),
        help: ArgumentHelp(
            "Write the report to this file instead of standard output; may be given several times. .json, .csv, .xml "
                + "(JUnit), .html, .md and .txt say the form.",
            valueName: "file"
        )
    )
    var outputs: [String] = []
    @Option(
        help: ArgumentHelp(
            #"Bounds to be kept, or the exit code is 99: {"schema":"firemeter.budget/1","thresholds":{"bytes":["<50MB"]}}."#,
            valueName: "file"
        )
    )
    var budget: String?
    @Option(
        help: ArgumentHelp(
            "A former report in the form json: show what changed, with sign and ratio.",
            valueName: "file"
        )
    )
    var compareTo: String?

    func validate() throws {
        guard format == nil || outputs.count < 2 else {
            throw ValidationError("--format can go with one --output; the names of several say their forms.")
        }
        if format == nil, let unknown = outputs.first(where: { ReportFormat(path: $0) == nil }) {
            throw ValidationError("the name \(unknown) says no form; name one with --format.")
        }
        if budget == nil, wants(.junit) {
            throw ValidationError("JUnit tells how a budget is kept: it needs --budget.")
        }
    }

    /// Reads the budget, before anything takes time.
    func loadBudget() throws -> Budget? { try budget.map { try Budget($0) } }

    /// Reads the former report, before anything takes time.
    func loadFormerReport() throws -> FormerReport? { try compareTo.map { try FormerReport($0) } }

    /// Refuses files that cannot be written, before anything takes time.
    func checkOutputs() throws {
        for output in outputs {
            let directory = URL(fileURLWithPath: output).deletingLastPathComponent().path
            var isDirectory: ObjCBool = false
            let problem: String? =
                if FileManager.default.fileExists(atPath: output, isDirectory: &isDirectory), isDirectory.boolValue {
                    "it is a directory"
                } else if !FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory) {
                    "there is no directory \(directory)"
                } else if !isDirectory.boolValue {
                    "\(directory) is not a directory"
                } else if !FileManager.default.isWritableFile(atPath: directory) {
                    "\(directory) cannot be written to"
                } else {
                    nil
                }
            if let problem { throw CommandFailure(exitCode: 74, message: "cannot write \(output): \(problem)") }
        }
    }

    /// Whether nothing is asked for that only a whole report can give.
    var isPlainJSON: Bool {
        budget == nil && compareTo == nil && format.map { $0 == .json } ?? true && outputs.count < 2
    }

    /// Writes a text as it is.
    func write(_ text: String) throws {
        guard let output = outputs.first else { return try Terminal.say(text) }
        try Self.write(text, to: output)
    }

    /// Writes a report in its forms; bounds that are not kept end the command with 99.
    func write(_ report: ReplayReport) throws {
        guard !outputs.isEmpty else {
            try Terminal.say(report.text(as: format ?? .table))
            return try end(report)
        }
        for output in outputs {
            let text = try report.text(as: format ?? ReportFormat(path: output) ?? .table)
            try Self.write(text, to: output)
        }
        try end(report)
    }

    private static func write(_ text: String, to output: String) throws {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
        } catch {
            throw CommandFailure.cannotWrite(output, error: error)
        }
    }

    private func end(_ report: ReplayReport) throws {
        guard !report.breaches.isEmpty else { return }
        throw CommandFailure(exitCode: 99, message: report.breaches.joined(separator: "\n\(ProgramName.current): "))
    }

    /// Whether one of the reports has this form.
    func wants(_ form: ReportFormat) -> Bool {
        format == form || (format == nil && outputs.contains { ReportFormat(path: $0) == form })
    }
}

extension ReportFormat: ExpressibleByArgument {}
