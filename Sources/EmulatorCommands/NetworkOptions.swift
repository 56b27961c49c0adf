// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalFirebase
import Wire

/// The option of all commands that serve, on the network that clients seem to have.
struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Answer as over a slower network: \(LinkProfile.all.map(\.name).joined(separator: ", ")). It can be changed on the console's page.",
            valueName: "name"
        )
    )
    var network: LinkProfile?

    /// Sets what the option says.
    func apply(to configuration: inout EmulatorConfiguration) {
        if let network { configuration.network = network.conditions }
    }
}

extension LinkProfile: ExpressibleByArgument {
    /// Reads the name of a profile.
    package init?(argument: String) {
        guard let named = Self.all.first(where: { $0.name == argument }) else { return nil }
        self = named
    }

    package static var allValueStrings: [String] { all.map(\.name) }
}
