// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import LocalFirebase
import Metering

/// The messages of `firemeter serve`: results on standard output, progress and errors on standard error.
struct ServePrinter: Sendable {
    /// Between two lines on work that lasts, where standard error is not a terminal.
    private static let progressInterval = Duration.seconds(10)

    let isJSON: Bool
    /// Whether standard output is another's.
    private let isQuiet: Bool
    private let status = StatusLine.standardError

    init(isJSON: Bool, isQuiet: Bool = false) {
        (self.isJSON, self.isQuiet) = (isJSON, isQuiet)
    }

    @Sendable func seedProgress(_ progress: SeedProgress) {
        report("seeding: \(progress.loaded.images) of \(progress.imageCountTotal) images")
    }

    @Sendable func seeded(_ outcome: SeedOutcome) {
        switch outcome {
        case .seeded(let counts): close("seeded \(counts)")
        case .alreadySeeded(let counts): close("already seeded (\(counts)): the data directory is left as it is")
        }
    }

    /// Whether there is a watcher.
    var showsProgress: Bool { status.isTerminal && !isJSON }

    /// Shows how much of the quota is used, in place of what was shown before.
    @Sendable func quota(_ quota: QuotaStatus) { status.show(quota.line) }

    /// Leaves what was shown last where it is.
    func ended() { status.settle() }

    @Sendable func printExport(_ event: ExportEvent) {
        switch event {
        case .progress(let progress): report(progress.line)
        case .imported(let counts, let path, let time): close("imported \(counts) from \(path) in \(time.rounded)")
        case .exported(let counts, let path, let time): close("exported \(counts) to \(path) in \(time.rounded)")
        case .warning(let text): warn(text)
        case .notice(let text): if !isJSON { status.add(text) }
        }
    }

    private func report(_ progress: String) {
        if !isJSON { status.report(progress, lineEach: Self.progressInterval) }
    }

    /// Shows in the place of the progress how work has ended.
    private func close(_ text: String) {
        guard !isJSON else { return }
        status.clear()
        status.add(text)
    }

    func ready(_ addresses: EmulatorAddresses, after startup: Duration) {
        let milliseconds = Int(startup / .milliseconds(1))
        guard !isJSON else { return readyInJSON(addresses, after: startup) }
        say(
            """
            Firemeter is ready after \(milliseconds) ms.
              Firestore  http://\(addresses.firestore)
              Storage    http://\(addresses.storage)
              Console    http://\(addresses.console)
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
        if isJSON || isQuiet { status.add(line) } else { say(line) }
    }

    /// Shows a value of `debug()` in rules, and an empty line, as the official emulator does.
    @Sendable func debugged(_ text: String, of service: EmulatorService) {
        if isJSON || isQuiet { status.add(text) } else { say(text) }
    }

    func failed(_ error: EmulatorError) { refused(error.description) }

    /// Says that a signal is heard, and how to end without waiting.
    func ending(upon signal: String, exportingTo path: String?) {
        guard !isJSON else { return }
        // A terminal shows the key where the line begins.
        if status.isTerminal { status.add("") }
        let export = path.map { ", then the export to \($0)" } ?? ""
        status.add("\(signal): what is in flight is finished\(export); the signal once more ends everything at once")
    }

    /// Shows a line that is not a result.
    func remark(_ text: String) {
        guard !isJSON else { return }
        if isQuiet { status.add(text) } else { say(text) }
    }

    func warn(_ text: String) { status.add("\(ProgramName.current): warning: \(text)") }

    func refused(_ reason: String) { status.add("\(ProgramName.current): \(reason)") }

    /// A reader that has gone, as `head` does, is not a reason to stop serving.
    private func say(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }
}
