// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LogImport
import SessionLog

/// How views are inferred from a log that has none.
struct InferenceOptions: ParsableArguments {
    @Option(
        name: .customLong("layout"),
        help: ArgumentHelp(
            "For a log without views: how the names of images follow from documents, such as 'posts/{id}/{n}.jpg' or "
                + "'recipes: users/{author}/{id}/photo_{n}.jpg'; may be given several times. Default: found out.",
            valueName: "layout"
        )
    )
    var layoutTexts: [String] = []

    func validate() throws { _ = try layouts() }

    /// Loads a session log, with its own views or with inferred ones.
    func load(_ log: String, rules: InferenceRules = InferenceRules()) throws -> SessionSource {
        try LogHint.checkSessionLog(log)
        let source = try SessionSource(log, layouts: layouts(), rules: rules) {
            Terminal.progress("reading \(log): \($0) lines")
        }
        Terminal.endProgress()
        if source.skippedLineCount > 0 {
            Terminal.note("\(log): skipped \(source.skippedLineCount) lines of unknown types")
        }
        if source.isCutOff {
            Terminal.note("\(log): the last line was cut off, as by a crash, and is passed over")
        }
        return source
    }

    func layouts() throws -> [ImageLayout] {
        do throws(ImageLayoutError) {
            return try layoutTexts.map { text throws(ImageLayoutError) in try ImageLayout(text) }
        } catch {
            throw ValidationError("--layout: \(error).")
        }
    }
}
