// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalFirebase
import Metering

/// The messages of `emulator serve`: results on standard output, progress and errors on standard error.
struct ServePrinter: Sendable {
    let isJSON: Bool
    /// Whether standard output is another's.
    private let isQuiet: Bool
    private let isTerminal = isatty(STDERR_FILENO) == 1

    init(isJSON: Bool, isQuiet: Bool = false) {
        (self.isJSON, self.isQuiet) = (isJSON, isQuiet)
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
        case .progress(let counts):
            if showsProgress { tell("\r\u{1B}[Kimporting: \(counts)", endingLine: false) }
        case .imported(let counts, let path):
            if !isJSON { tell("\(showsProgress ? "\r\u{1B}[K" : "")imported \(counts) from \(path)", endingLine: true) }
        case .exported(let counts, let path): if !isJSON { tell("exported \(counts) to \(path)", endingLine: true) }
        case .warning(let text): warn(text)
        case .notice(let text): if !isJSON { tell(text, endingLine: true) }
        }
    }

    func ready(_ addresses: EmulatorAddresses, after startup: Duration) {
        let milliseconds = Int(startup / .milliseconds(1))
        guard !isJSON else { return readyInJSON(addresses, after: startup) }
        say(
            """
            Firemeter is ready after \(milliseconds) ms.
              Firestore  http://\(addresses.firestore)
              Storage    http://\(addresses.storage)
              Usage      http://\(addresses.console)/usage\
            \(addresses.auth.map { "\n  Auth       http://\($0)" } ?? "")\
            \(addresses.websocket.map { "\n  Requests   ws://\($0)/requests" } ?? "")\
            \(addresses.hub.map { "\n  Hub        http://\($0)" } ?? "")\
            \(addresses.logging.map { "\n  Log        ws://\($0)" } ?? "")
            """
        )
    }

    /// Prints the line that scripts wait for; services that are not served are not in it.
    func readyInJSON(_ addresses: EmulatorAddresses, after startup: Duration) {
        let ports = addresses.ports
        let always = [
            ("firestore", addresses.firestore, ports.firestore), ("storage", addresses.storage, ports.storage),
            ("console", addresses.console, ports.console),
        ]
        let others = [
            ("auth", addresses.auth), ("websocket", addresses.websocket), ("hub", addresses.hub),
            ("logging", addresses.logging),
        ]
        let members =
            always.filter { $0.2 != 0 }.map { "\"\($0.0)\":\"\($0.1)\"," }
            + others.compactMap { name, address in address.map { "\"\(name)\":\"\($0)\"," } }
        say("{\"ready\":true,\(members.joined())\"startupMilliseconds\":\(Int(startup / .milliseconds(1)))}")
    }

    /// Shows a code or link that would be sent to a user.
    @Sendable func messageSent(_ line: String) {
        if isJSON || isQuiet { tell(line, endingLine: true) } else { say(line) }
    }

    /// Shows a value of `debug()` in rules, and an empty line, as the official emulator does.
    @Sendable func debugged(_ text: String) {
        if isJSON || isQuiet { tell(text, endingLine: true) } else { say(text) }
    }

    func failed(_ error: EmulatorError) { refused(error.description) }

    /// Shows a line that is not a result.
    func remark(_ text: String) {
        guard !isJSON else { return }
        if isQuiet { tell(text, endingLine: true) } else { say(text) }
    }

    func warn(_ text: String) { tell("emulator: warning: \(text)", endingLine: true) }

    func refused(_ reason: String) { tell("emulator: \(reason)", endingLine: true) }

    // A reader that has gone, as `head` does, is not a reason to stop serving.

    private func say(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }

    private func tell(_ text: String, endingLine: Bool) {
        try? FileHandle.standardError.write(contentsOf: Data((text + (endingLine ? "\n" : "")).utf8))
    }
}
