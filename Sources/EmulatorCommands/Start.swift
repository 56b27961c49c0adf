// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalFirebase
import ServiceLifecycle
import SuiteFiles

/// `firemeter start`.
struct Start: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve what the project's firebase.json names, in the place of firebase emulators:start.",
        discussion: """
            Reads firebase.json (searched upwards) and .firebaserc, and serves Authentication, Firestore and Cloud Storage with \
            the ports, rules and indexes that they name. Other emulators are left out, with a line each.

            Examples:
              firemeter start
              firemeter start --only auth,firestore --project demo-test
              firemeter start --import ./seed --export-on-exit
              firemeter start --free-ports --json

            SIGTERM, SIGINT (Ctrl-C), SIGHUP and SIGQUIT finish what is in flight, export if asked to, and exit with 0. A \
            second one ends at once, without the export, and with 128 and its number.
            """
    )

    @OptionGroup var suite: SuiteOptions
    @Flag(help: "Print one line of JSON when ready, and nothing else.")
    var json = false

    func run() async throws {
        let start = ContinuousClock.now
        FreedMemory.giveBack()
        let printer = ServePrinter(isJSON: json)
        let (plan, configuration) = try suite.prepared(.asConfigured, printer)
        let emulator = Emulator(configuration, shownBy: printer)
        let forcedEnd = ForcedEnd(configuration, printer)
        try await emulator.serve(printer, of: plan, since: start, endedBy: forcedEnd) { _ in
            // Throws where the process is cancelled, which means the same: stop.
            try? await gracefulShutdown()
        }
    }
}
