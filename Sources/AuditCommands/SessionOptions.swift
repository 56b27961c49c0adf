// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import LogImport
import SessionAudit
import SessionLog

/// A session and what it is simulated with.
struct SessionOptions: ParsableArguments {
    @Option(
        name: .customLong("strategy"),
        help: ArgumentHelp(
            "What asks for the images, as in 'firemeter audit replay --help': of each user or, for 'page' and 'prefetch', "
                + "otherwise.",
            valueName: "strategy"
        )
    )
    var strategyText = "thumbnails"
    @Option(help: ArgumentHelp("The data set to serve, instead of the one the log names.", valueName: "path"))
    var seed: String?

    @OptionGroup var loading: InferenceOptions

    func strategy() throws -> Strategy { try Strategy(strategyText) }

    /// An auditor that opens no socket.
    func auditor(of log: String) throws -> SessionAuditor {
        let source = try loading.load(log)
        if seed != nil, source.header.imported != nil { throw CommandFailure.sizesOfLog(log) }
        return try SessionAuditor(
            source,
            path: log,
            servers: .own(seed.map(SessionAuditor.ServedData.dataSet) ?? .ofLog),
            mode: .simulate,
            keepingAnswersIn: CacheDirectory.url,
            onSeedProgress: Terminal.seedProgress,
            onSeeded: Terminal.seeded,
            onProgress: Terminal.replayProgress
        )
    }
}
