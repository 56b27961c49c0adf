// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LogImport
import SessionLog

/// `audit import`.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make a session of logs that you have, to be replayed with other strategies.",
        discussion: """
            Reads what 'audit totals' reads. Objects named owner/feed/n are images of posts; who saw which posts when, and \
            opened which, is inferred from the downloads. What is assumed is printed, kept in the session, and shown with \
            every report on it.

            Of a log that 'emulator serve --record' wrote, the inferred views are written, of objects of any name; 'audit \
            replay' infers them by itself, and knows what was recorded besides.

            Examples:
              audit import usage_2026_11_20_*.csv.gz --output session.log
              audit import access.log --output session.log --opened-percent 5
              audit replay session.log
            """
    )

    @OptionGroup var reading: LogOptions
    @OptionGroup var loading: InferenceOptions
    @Option(
        help: ArgumentHelp("The seconds without a download that end a user's view.", valueName: "seconds")
    )
    var viewGap = 2.0
    @Option(
        help: ArgumentHelp("The minutes without a download after which the app was started anew.", valueName: "minutes")
    )
    var relaunchGap = 30
    @Option(
        help: ArgumentHelp(
            "The share of the posts that count as opened where lists loaded all images, so that the log does not tell.",
            valueName: "percent"
        )
    )
    var openedPercent = InferenceRules().openedPercent
    @Option(help: ArgumentHelp("The session to write; there must be no such file.", valueName: "file"))
    var output: String

    func validate() throws {
        guard (0.001...3_600).contains(viewGap), (1...100_000).contains(relaunchGap), (0...100).contains(openedPercent)
        else {
            throw ValidationError(
                "--view-gap must be between 0.001 and 3600, --relaunch-gap between 1 and 100000, --opened-percent between 0 and 100."
            )
        }
        guard !FileManager.default.fileExists(atPath: output) else {
            throw ValidationError("\(output) is there already; choose another file.")
        }
    }

    func run() async throws {
        try await exitingWithCode {
            var rules = InferenceRules()
            rules.viewGap = Int64(viewGap * 1_000_000)
            rules.relaunchGap = Int64(relaunchGap) * 60_000_000
            rules.openedPercent = openedPercent
            if reading.logs.contains(where: SessionLog.isRecording) {
                try importRecording(by: rules)
            } else {
                try importDownloads(by: rules)
            }
        }
    }

    /// Writes the views of a log of our own, beside which no other can be read.
    private func importRecording(by rules: InferenceRules) throws {
        guard let log = reading.logs.first, reading.logs.count == 1, reading.formatText == nil else {
            throw CommandFailure(
                exitCode: 64,
                message: "a log of 'emulator serve --record' is imported by itself, without --log-format"
            )
        }
        let (session, _) = try loading.load(log, rules: rules)
        Terminal.endProgress()
        guard session.header.imported != nil else {
            throw CommandFailure(
                exitCode: 65,
                message: session.views.isEmpty
                    ? "\(log) has no query and no download; 'audit totals' says what there is"
                    : "\(log) has views of its own; 'audit replay' takes it as it is"
            )
        }
        try write(session, passedOver: nil)
    }

    private func importDownloads(by rules: InferenceRules) throws {
        guard loading.layoutTexts.isEmpty else {
            throw CommandFailure(
                exitCode: 64,
                message: "--layout needs documents, which only logs of 'emulator serve --record' have"
            )
        }
        var inference = ViewInference(rules)
        try reading.read(into: &inference)
        Terminal.endProgress()
        guard let session = inference.session() else {
            throw CommandFailure(
                exitCode: 65,
                message: "no download of an image named owner/feed/n; 'audit totals' says what there is"
            )
        }
        try write(
            session,
            passedOver:
                "\(inference.otherCount) other requests and \(inference.duplicateCount) duplicates were passed over"
        )
    }

    private func write(_ session: SessionLog, passedOver: String?) throws {
        do {
            let writer = try SessionLogWriter(output, header: session.header)
            for image in session.images { try writer.append(.image(image)) }
            for view in session.views { try writer.append(.view(view)) }
            writer.close()
        } catch {
            // Half a session is none.
            try? FileManager.default.removeItem(atPath: output)
            throw error
        }
        let imported = session.header.imported
        Terminal.note(
            """
            \(output): \(session.views.count) views of \(Set(session.views.map(\.client)).count) users, inferred from \
            \(imported?.downloadCount ?? 0) downloads of \(session.images.count) images\(passedOver.map { "; \($0)" } ?? "")
            assumed:
            """
        )
        for assumption in imported?.assumptions ?? [] { Terminal.note("  - \(assumption)") }
    }
}
