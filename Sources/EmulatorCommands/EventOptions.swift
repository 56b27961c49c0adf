// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FunctionEvents

/// The options of all commands that serve, on functions that are called when data change.
struct EventOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Call functions of the Functions emulator at this address.", valueName: "host:port"),
        transform: Self.address
    )
    var functions: FunctionsAddress?
    @Option(
        help: ArgumentHelp(
            "Send changes of documents, objects and users to this URL as CloudEvents, filtered as docs/emulator-suite.md says; may be given several times.",
            valueName: "url"
        ),
        transform: Self.subscription
    )
    var events: [EventSubscription] = []

    /// Where the options have events sent.
    var destinations: EventDestinations { EventDestinations(functions: functions, subscriptions: events) }

    private static func address(_ text: String) throws -> FunctionsAddress {
        guard let address = FunctionsAddress(text) else {
            throw ValidationError("it must be HOST:PORT, such as 127.0.0.1:5001.")
        }
        return address
    }

    private static func subscription(_ text: String) throws -> EventSubscription {
        do {
            return try EventSubscription(parsing: text)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
