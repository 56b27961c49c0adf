// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import Metering

/// What strategies are compared with, and at which prices.
struct ComparisonOptions: ParsableArguments {
    @Option(
        name: .customLong("profile"),
        help: ArgumentHelp(
            "The prices and free amounts: \(PriceProfile.shippedNames.joined(separator: ", ")), a file, or several "
                + "joined by '+'.",
            valueName: "name"
        )
    )
    var profileName = PriceProfile.spark2023.name
    @Option(
        help: ArgumentHelp(
            "The daily users that costs are given for. Default: \(ReplayReport.dailyUserCountDefault), or the log's users "
                + "where they are more.",
            valueName: "count"
        )
    )
    var users: Int64?
    @Option(
        help: ArgumentHelp(
            "The strategy that the others are compared with, or 'recorded'. Default: the first row.",
            valueName: "name"
        )
    )
    var baseline: String?

    func validate() throws {
        guard (1...1_000_000_000).contains(users ?? 1) else {
            throw ValidationError("--users must be between 1 and 1000000000.")
        }
    }

    func profile() throws -> PriceProfile { try PriceProfile(named: profileName) }

    /// Refuses a baseline that the report does not have.
    func checkBaseline(among strategies: [String], isRecorded: Bool) throws {
        guard let baseline else { return }
        let names = (isRecorded ? [Strategy.recorded.name] : []) + strategies
        guard names.contains(baseline) else {
            throw CommandFailure(
                exitCode: 64,
                message: "--baseline: '\(baseline)' is not among \(names.joined(separator: ", "))"
            )
        }
    }
}
