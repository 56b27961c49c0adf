// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import FunctionEvents
import LocalFirebase
import SuiteFiles

/// The options of `firemeter start` and `firemeter exec`: those of Firebase's own commands, and ports.
struct SuiteOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Serve these alone, such as auth,firestore.", valueName: "list"))
    var only: String?
    @Option(help: ArgumentHelp("The project: an id, or an alias of .firebaserc.", valueName: "id"))
    var project: String?
    @Option(help: ArgumentHelp("Read this file in place of firebase.json.", valueName: "file"))
    var config: String?
    @OptionGroup var exports: ExportOptions
    @Option(help: ArgumentHelp("Keep all data in this directory between runs.", valueName: "dir"))
    var data: String?
    @Flag(help: "Pick free ports for all services, so that several emulators run on one machine.")
    var freePorts = false
    @Option(help: "Firestore's port, before that of firebase.json; 0 picks a free one.")
    var firestorePort: Int?
    @Option(help: "Cloud Storage's port.")
    var storagePort: Int?
    @Option(help: "Authentication's port.")
    var authPort: Int?
    @Option(help: "The port of the console, which stands in the place of Firebase's user interface.")
    var uiPort: Int?
    @Option(help: "The emulator hub's port.")
    var hubPort: Int?
    @Option(help: "The port of the log.")
    var loggingPort: Int?
    @Option(help: "The port of the requests that rules judge.")
    var websocketPort: Int?
    @Option(help: ArgumentHelp("Taken as by Firebase's own command, and without effect.", visibility: .hidden))
    var logVerbosity: String?
    @Option(
        defaultAsFlag: "",
        help: ArgumentHelp("Taken as by Firebase's own command, and without effect.", visibility: .hidden)
    )
    var inspectFunctions: String?
    @OptionGroup var functions: EventOptions
    @OptionGroup var meter: MeterOptions
    @OptionGroup var network: NetworkOptions

    private var ports: [(option: String, service: EmulatorService, value: Int?)] {
        [
            ("firestore", .firestore, firestorePort), ("storage", .storage, storagePort), ("auth", .auth, authPort),
            ("ui", .console, uiPort), ("hub", .hub, hubPort), ("logging", .logging, loggingPort),
            ("websocket", .websocket, websocketPort),
        ]
    }

    func validate() throws {
        for (option, _, port) in ports {
            guard let port, !(0...65_535).contains(port) else { continue }
            throw ValidationError("--\(option)-port must be between 0 and 65535 (is \(port)).")
        }
    }

    /// Reads the project's files.
    ///
    /// - Parameters:
    ///   - interface: Whether a user interface is asked for.
    ///   - printer: Says what is wrong with them.
    /// - Returns: The services, and a configuration that serves them.
    /// - Throws: `ExitCode`.
    func prepared(
        _ interface: SuiteRequest.Interface,
        _ printer: ServePrinter
    ) throws -> (plan: SuitePlan, configuration: EmulatorConfiguration) {
        let request = SuiteRequest(
            workingDirectory: FileManager.default.currentDirectoryPath,
            configurationPath: config,
            only: only,
            project: project,
            interface: interface,
            environment: ProcessInfo.processInfo.environment
        )
        do {
            let plan = try SuitePlan(request)
            for notice in plan.notices { printer.note(notice) }
            return (plan, try configuration(of: plan, printer))
        } catch let error as SuiteConfigurationError {
            printer.refused("\(error)")
            throw ExitCode(EX_CONFIG)
        } catch let error as EmulatorError {
            printer.failed(error)
            throw ExitCode(error.exitCode)
        }
    }

    private func configuration(of plan: SuitePlan, _ printer: ServePrinter) throws -> EmulatorConfiguration {
        var configuration = EmulatorConfiguration()
        configuration.exportBound = plan.directory
        for warning in configuration.serve(plan, on: chosenPorts) { printer.warn(warning) }
        exports.apply(to: &configuration)
        configuration.storage = data.map { .directory($0) } ?? .ephemeral
        configuration.onMessage = printer.messageSent
        configuration.onDebug = printer.debugged
        try meter.apply(to: &configuration, printer)
        network.apply(to: &configuration)
        configuration.events = functions.destinations
        if configuration.events.functions == nil, let address = plan[.functions] {
            configuration.events.functions = FunctionsAddress("\(address.connectingHost):\(address.portOrDefault)")
        }
        return configuration
    }

    /// The ports by which those of firebase.json are replaced.
    private var chosenPorts: [EmulatorService: Int] {
        Dictionary(
            uniqueKeysWithValues: ports.compactMap { _, service, port in
                (port ?? (freePorts ? 0 : nil)).map { (service, $0) }
            }
        )
    }
}
