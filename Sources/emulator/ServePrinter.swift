// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalFirebase
import Metering

/// The messages of `emulator serve`: results on standard output, progress and errors on standard error.
struct ServePrinter: Sendable {
    let isJSON: Bool
    private let isTerminal = isatty(STDERR_FILENO) == 1

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    @Sendable func seedProgress(_ progress: SeedProgress) {
        guard isTerminal, !isJSON else { return }
        tell("\r\u{1B}[Kseeding: \(progress.loaded.images) of \(progress.imageCountTotal) images", endingLine: false)
    }

    @Sendable func seeded(_ outcome: SeedOutcome) {
        guard !isJSON else { return }
        if isTerminal { tell("\r\u{1B}[K", endingLine: false) }
        switch outcome {
        case .seeded(let counts):
            tell("seeded \(counts)", endingLine: true)
        case .alreadySeeded(let counts):
            tell("already seeded (\(counts)): the data directory is left as it is", endingLine: true)
        }
    }

    /// Whether there is a watcher.
    var showsProgress: Bool { isTerminal && !isJSON }

    /// Shows how much of the quota is used, in place of what was shown before.
    @Sendable func quota(_ status: QuotaStatus) {
        tell("\r\u{1B}[K\(status.line)", endingLine: false)
    }

    /// Leaves what was shown last where it is.
    func ended() {
        if showsProgress { tell("", endingLine: true) }
    }

    @Sendable func printExport(_ event: ExportEvent) {
        switch event {
        case .imported(let counts, let path): if !isJSON { tell("imported \(counts) from \(path)", endingLine: true) }
        case .exported(let counts, let path): if !isJSON { tell("exported \(counts) to \(path)", endingLine: true) }
        case .warning(let text): tell("emulator: warning: \(text)", endingLine: true)
        }
    }

    func ready(_ addresses: EmulatorAddresses, after startup: Duration) {
        let milliseconds = Int(startup / .milliseconds(1))
        if isJSON {
            let others = [("auth", addresses.auth), ("websocket", addresses.websocket)].map { name, address in
                address.map { "\"\(name)\":\"\($0)\"," } ?? ""
            }.joined()
            say(
                "{\"ready\":true,\"firestore\":\"\(addresses.firestore)\",\"storage\":\"\(addresses.storage)\","
                    + "\"console\":\"\(addresses.console)\",\(others)\"startupMilliseconds\":\(milliseconds)}"
            )
        } else {
            say(
                """
                Firemeter is ready after \(milliseconds) ms.
                  Firestore  http://\(addresses.firestore)
                  Storage    http://\(addresses.storage)
                  Usage      http://\(addresses.console)/usage\
                \(addresses.auth.map { "\n  Auth       http://\($0)" } ?? "")\
                \(addresses.websocket.map { "\n  Requests   ws://\($0)/requests" } ?? "")
                """
            )
        }
    }

    /// Shows a code or link that would be sent to a user.
    @Sendable func messageSent(_ line: String) {
        if isJSON { tell(line, endingLine: true) } else { say(line) }
    }

    /// Shows a value of `debug()` in rules, and an empty line, as the official emulator does.
    @Sendable func debugged(_ text: String) {
        if isJSON { tell(text, endingLine: true) } else { say(text) }
    }

    func failed(_ error: EmulatorError) { refused(error.description) }

    func refused(_ reason: String) { tell("emulator: \(reason)", endingLine: true) }

    // A reader that has gone, as `head` does, is not a reason to stop serving.

    private func say(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }

    private func tell(_ text: String, endingLine: Bool) {
        try? FileHandle.standardError.write(contentsOf: Data((text + (endingLine ? "\n" : "")).utf8))
    }
}
