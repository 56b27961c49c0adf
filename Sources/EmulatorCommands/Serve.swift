// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthServer
import FeedDataSet
import Foundation
import LocalFirebase
import ServiceLifecycle

/// `firemeter serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve Firestore, Cloud Storage and Authentication on this machine and count what they send.",
        discussion: """
            Examples:
              firemeter serve --seed fixtures/feed
              firemeter serve --seed ~/Pictures/feed --seed-variant 200x200
              firemeter serve --data ./firebase-data --record session.log
              firemeter serve --import ./export --export-on-exit
              firemeter serve --firestore-port 0 --storage-port 0 --console-port 0 --json

            Point the SDKs here as at the official emulators:
              export FIRESTORE_EMULATOR_HOST=127.0.0.1:8080
              export FIREBASE_STORAGE_EMULATOR_HOST=127.0.0.1:9199
              export FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:9099
            and ask what they used:
              curl http://127.0.0.1:4000/usage?by=operation

            --import and --export-on-exit read and write exports in the official emulators' format: documents, objects and
            users. An import may also be an export of production's Firestore. While serving,
              curl -d "{\\"path\\": \\"$PWD/export\\"}" http://127.0.0.1:4000/_admin/export
            exports at once, below the working directory or that of --export-below.

            For a project with a firebase.json there are firemeter start and firemeter exec.

            SIGTERM and SIGINT (Ctrl-C) finish what is in flight, export if asked to, and exit with 0. A second one ends at \
            once, without the export, and with 128 and its number.
            """
    )

    @Option(help: ArgumentHelp("Keep all data in this directory between runs.", valueName: "dir"))
    var data: String?
    @Flag(help: "Keep data in a temporary directory that is removed at the end (the default).")
    var ephemeral = false
    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"
    @Option(help: "Firestore's port; 0 picks a free one.")
    var firestorePort = 8080
    @Option(help: "Cloud Storage's port; 0 picks a free one.")
    var storagePort = 9199
    @Option(
        help: ArgumentHelp(
            "Authentication's port; 0 picks a free one. The default is 9099, or 0 where --firestore-port is 0.",
            valueName: "port"
        )
    )
    var authPort: Int?
    @Option(
        help: ArgumentHelp(
            """
            The project of apps, whose API keys do not say it. The default is demo-firemeter; where one is named, \
            calls for other projects are reported.
            """,
            valueName: "id"
        )
    )
    var project: String?
    @Option(
        help: """
            Whose answers Authentication gives where they differ: emulator (the official one), or production, with which \
            Firestore and Storage refuse expired tokens, too.
            """
    )
    var authProfile = AuthProfile.emulator
    @Flag(help: "Refuse users of other projects, as firebase.json's singleProjectMode does.")
    var singleProject = false
    @Option(help: "The console's port (usage, addresses); 0 picks a free one.")
    var consolePort = 4000
    @Option(
        help: ArgumentHelp(
            "Show requests as Security Rules judge them, by a WebSocket on this port at /requests; 0 picks a free one.",
            valueName: "port"
        )
    )
    var websocketPort: Int?
    @Option(
        help: ArgumentHelp(
            "Serve the hub by which tools of Firebase find the emulators, at this port; 0 picks a free one.",
            valueName: "port"
        )
    )
    var hubPort: Int?
    @Option(
        help: ArgumentHelp("Show the log by a WebSocket on this port; 0 picks a free one.", valueName: "port")
    )
    var loggingPort: Int?
    @Option(
        help: ArgumentHelp(
            "Load a feed first: a feed.json, a directory that holds one, or a directory of images laid out as user/feed/n.",
            valueName: "path"
        )
    )
    var seed: String?
    @Option(
        help: ArgumentHelp(
            "Keep smaller copies of the seed's thumbnails, as the extension Resize Images does: user/feed/0_200x200; may be given several times.",
            valueName: "size"
        )
    )
    var seedVariant: [SeedVariant] = []
    @OptionGroup var exports: ExportOptions
    @Option(help: ArgumentHelp("Take the app's Firestore indexes from this firestore.indexes.json.", valueName: "file"))
    var indexes: String?
    @Flag(help: "Refuse queries whose Firestore index is not defined, as production does.")
    var requireIndexes = false
    @Option(
        help: ArgumentHelp(
            "Judge calls to Firestore by the Security Rules of this file, which is read again when it changes.",
            valueName: "file"
        )
    )
    var rules: String?
    @Option(
        help: ArgumentHelp(
            "Judge calls to Storage's v0 API, which apps speak, by the Security Rules of this file.",
            valueName: "file"
        )
    )
    var storageRules: String?
    @Flag(help: "Refuse reads and writes of callers who are not signed in, as a new project's rules do.")
    var requireAuth = false
    @Flag(help: "Let held and retained objects be deleted all the same, so that tests can clean up after themselves.")
    var ignoreRetention = false
    @Option(
        help: ArgumentHelp(
            "Judge the signatures of signed URLs by this service account's key; may be given several times.",
            valueName: "file"
        )
    )
    var signingKey: [String] = []
    @OptionGroup var functions: EventOptions
    @OptionGroup var meter: MeterOptions
    @OptionGroup var network: NetworkOptions
    @Flag(help: "Print one line of JSON when ready, and nothing else.")
    var json = false

    func validate() throws {
        if ephemeral, data != nil {
            throw ValidationError("--data keeps everything and --ephemeral nothing: give one of them.")
        }
        let ports = [
            ("firestore", firestorePort), ("storage", storagePort), ("console", consolePort),
            ("auth", authPort ?? 0), ("websocket", websocketPort ?? 0), ("hub", hubPort ?? 0),
            ("logging", loggingPort ?? 0),
        ]
        for (name, port) in ports where !(0...65_535).contains(port) {
            throw ValidationError("--\(name)-port must be between 0 and 65535 (is \(port)).")
        }
        if seed == nil, !seedVariant.isEmpty {
            throw ValidationError("--seed-variant is of the images of --seed: give both.")
        }
        if rules != nil || storageRules != nil, requireAuth {
            throw ValidationError("--require-auth stands for rules: it cannot go with --rules or --storage-rules.")
        }
    }

    func run() async throws {
        let start = ContinuousClock.now
        FreedMemory.giveBack()
        let printer = ServePrinter(isJSON: json)
        let configuration = try configuration(printer)
        let emulator = Emulator(configuration, shownBy: printer)
        try await emulator.serve(printer, since: start, endedBy: ForcedEnd(configuration, printer)) { _ in
            // Throws where the process is cancelled, which means the same: stop.
            try? await gracefulShutdown()
        }
    }

    private func configuration(_ printer: ServePrinter) throws -> EmulatorConfiguration {
        var configuration = EmulatorConfiguration()
        try meter.apply(to: &configuration, printer)
        network.apply(to: &configuration)
        configuration.events = functions.destinations
        configuration.host = host
        configuration.ports = EmulatorPorts(
            firestore: firestorePort,
            storage: storagePort,
            console: consolePort,
            auth: authPort ?? (firestorePort == 0 ? 0 : 9099),
            websocket: websocketPort
        )
        (configuration.ports.hub, configuration.ports.logging) = (hubPort, loggingPort)
        configuration.storage = data.map { .directory($0) } ?? .ephemeral
        configuration.seedPath = seed
        configuration.seedVariants = seedVariant
        exports.apply(to: &configuration)
        configuration.indexPath = indexes
        configuration.requiresIndexes = requireIndexes
        configuration.rulesPath = rules
        configuration.storageRulesPath = storageRules
        if let project {
            configuration.project = project
            configuration.otherProjectsAdvice = "leave --project out"
        }
        configuration.authProfile = authProfile
        configuration.refusesOtherProjects = singleProject
        configuration.onMessage = printer.messageSent
        configuration.onDebug = printer.debugged
        configuration.requiresSignIn = requireAuth
        configuration.enforcesRetention = !ignoreRetention
        configuration.signingKeyPaths = signingKey
        return configuration
    }
}

extension AuthProfile: ExpressibleByArgument {}
