// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LocalFirebase
import SuiteFiles

/// `firemeter exec`.
struct Exec: AsyncParsableCommand {
    /// How long a command may take to end after a signal: the servers wait for what is in flight behind it.
    private static let grace = Duration.seconds(7)

    static let configuration = CommandConfiguration(
        abstract: "Run a command against the emulators of firebase.json, and end them with it.",
        discussion: """
            Serves as start does, runs the command with the environment by which SDKs find the emulators, and ends with the \
            command's exit code (128 and the signal's number, if a signal ended it). One argument alone is a line for the shell.

            SIGTERM, SIGINT (Ctrl-C), SIGHUP and SIGQUIT end the command first. A second one kills it, ends at once, without \
            the export, and with 128 and its number.

            Examples:
              firemeter exec -- npm test
              firemeter exec --only firestore --project demo-test "npm run lint && npm test"
              firemeter exec --free-ports --import ./seed -- pytest -q
            """
    )

    @OptionGroup var suite: SuiteOptions
    @Flag(help: "Serve the console, too.")
    var ui = false
    @Argument(help: "The command and its arguments, behind -- where they have options.")
    var command: [String] = []

    func validate() throws {
        if command.isEmpty {
            throw ValidationError("Name a command to run: firemeter exec -- npm test")
        }
    }

    func run() async throws {
        let start = ContinuousClock.now
        let descriptors = OpenDescriptors()
        FreedMemory.giveBack()
        // Standard output is the command's.
        let printer = ServePrinter(isJSON: false, isQuiet: true)
        let (plan, configuration) = try suite.prepared(ui ? .always : .never, printer)
        let words = command
        let emulator = Emulator(configuration, shownBy: printer)
        let forcedEnd = ForcedEnd(configuration, printer)
        let end = try await emulator.serve(printer, of: plan, since: start, endedBy: forcedEnd) { addresses in
            let environment = SuiteEnvironment(addresses, project: plan.project.id)
                .added(to: ProcessInfo.processInfo.environment)
            do {
                descriptors.hideOthers()
                let script = try ScriptProcess(words, environment: environment)
                forcedEnd.take(script)
                let end = await script.end(grace: Self.grace)
                forcedEnd.take(nil)
                printer.scriptEnded(end, words)
                return end
            } catch let failure as ScriptProcess.Failure {
                printer.refused(failure.description)
                return .exited(failure.exitCode)
            }
        }
        guard let end else { throw ExitCode(EX_UNAVAILABLE) }
        guard end.exitCode == 0 else { throw ExitCode(end.exitCode) }
    }
}
