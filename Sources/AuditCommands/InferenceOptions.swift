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

    @Option(
        help: ArgumentHelp("The seconds without a download that end a view without a list.", valueName: "seconds")
    )
    var viewGap = 2.0
    @Option(
        help: ArgumentHelp(
            "The minutes without a request after which the app was started again.",
            valueName: "minutes"
        )
    )
    var relaunchGap = InferenceRules().relaunchGapMinutes
    @Option(
        help: ArgumentHelp(
            "The share of the posts that count as opened where lists loaded all images, so that the log does not say.",
            valueName: "percent"
        )
    )
    var openedPercent = InferenceRules().openedPercent

    func validate() throws {
        _ = try layouts()
        guard (0.001...3_600).contains(viewGap), (1...100_000).contains(relaunchGap), (0...100).contains(openedPercent)
        else {
            throw ValidationError(
                "--view-gap must be between 0.001 and 3600, --relaunch-gap between 1 and 100000, --opened-percent between 0 and 100."
            )
        }
    }

    /// The assumptions.
    var rules: InferenceRules {
        var rules = InferenceRules()
        rules.viewGap = Int64(viewGap * 1_000_000)
        rules.relaunchGapMinutes = relaunchGap
        rules.openedPercent = openedPercent
        return rules
    }

    /// Loads a session log, with its own views or with inferred ones.
    func load(_ log: String) throws -> SessionSource {
        let path = try InputLog.path(log)
        try LogHint.checkSessionLog(path, named: log)
        let layouts = try layouts()
        let source = try readingSessionLog(log) {
            try SessionSource(path, layouts: layouts, rules: rules) {
                Terminal.progress("reading \(log): \($0) lines")
            }
        }
        Terminal.endProgress()
        if source.skippedLineCount > 0 {
            Terminal.note("\(log): skipped \(source.skippedLineCount) lines of unknown types")
        }
        Terminal.noteCutOffLines(source.cutOffLineCount, in: log)
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
