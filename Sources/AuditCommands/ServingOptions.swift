// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionAudit

/// Who answers the requests of a replay, and with which data.
struct ServingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The data set to serve, instead of the one the log names.", valueName: "path"))
    var seed: String?
    @Option(
        help: ArgumentHelp(
            "A data directory of 'firemeter serve --data' to serve, which stays as it is.",
            valueName: "directory"
        )
    )
    var data: String?
    @Option(
        help: ArgumentHelp(
            "Use the emulator whose console is at this address, instead of starting one.",
            valueName: "host:port"
        )
    )
    var emulator: String?

    func validate() throws {
        let given = [("--seed", seed), ("--data", data), ("--emulator", emulator)].filter { $0.1 != nil }.map(\.0)
        guard given.count < 2 else {
            throw ValidationError("\(given[0]) cannot go with \(given[1]): each says where the data are.")
        }
    }

    /// The mode where none is chosen: live and simulated, where the data are at hand.
    var mode: SessionAuditor.Mode { emulator == nil ? .verify : .live }

    /// Whether data are given, over HTTP or to be served over it.
    var isGiven: Bool { seed != nil || data != nil || emulator != nil }

    /// The servers.
    var servers: SessionAuditor.Servers {
        if let emulator { return .emulator(emulator) }
        if let data { return .own(.directory(data)) }
        return .own(seed.map(SessionAuditor.ServedData.dataSet) ?? .ofLog)
    }
}
