// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LocalFirebase
import Metering
import SessionLog

/// The options of all commands that serve, on what is counted and kept of it.
struct MeterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Append every request to this session log.", valueName: "file"))
    var record: String?
    @Option(
        help: ArgumentHelp(
            "Set the session log aside, compressed as FILE.1.gz, FILE.2.gz and so on, whenever it has this size; 'never' keeps one file.",
            valueName: "size"
        )
    )
    var recordRotate = RotationSize(byteCount: 64_000_000)
    @Option(
        help: ArgumentHelp("Keep only the latest files set aside, this many, instead of all.", valueName: "count")
    )
    var recordKeep: Int?
    @Option(
        help: ArgumentHelp(
            "Hold usage against these prices and free amounts: \(PriceProfile.shippedNames.joined(separator: ", ")), a file, or several joined by '+'.",
            valueName: "name"
        )
    )
    var profile = "spark-2023"
    @Flag(help: "Refuse requests once a free amount of the profile is used up, as production does.")
    var enforceQuota = false
    @Flag(help: "Do not count anything.")
    var noMeter = false

    func validate() throws {
        if noMeter, enforceQuota {
            throw ValidationError("--enforce-quota needs what the meter counts: it cannot go with --no-meter.")
        }
        if let recordKeep, recordKeep < 0 {
            throw ValidationError("--record-keep must not be negative (is \(recordKeep)).")
        }
        if noMeter, record != nil {
            throw ValidationError("--record writes what the meter counts: it cannot go with --no-meter.")
        }
    }

    /// Sets what the options say, with the profile that they name.
    ///
    /// - Parameters:
    ///   - configuration: The configuration to change.
    ///   - printer: Says why a profile cannot be used.
    /// - Throws: `ExitCode` or `ValidationError` for a profile that cannot be used.
    func apply(to configuration: inout EmulatorConfiguration, _ printer: ServePrinter) throws {
        configuration.profile = try priceProfile(printer)
        configuration.enforcesQuota = enforceQuota
        configuration.recordPath = record
        configuration.recordRotation = recordRotate.byteCount.map {
            SessionLogRotation(byteCountMax: $0, keptCountMax: recordKeep)
        }
        configuration.isMetered = !noMeter
    }

    private func priceProfile(_ printer: ServePrinter) throws -> PriceProfile {
        let found: PriceProfile
        do {
            found = try PriceProfile(named: profile)
        } catch {
            printer.refused("cannot use the profile: \(error)")
            throw ExitCode(error.isInFile ? EX_DATAERR : EX_USAGE)
        }
        guard !enforceQuota || found.overQuota == .refused else {
            throw ValidationError("--enforce-quota refuses nothing with \(profile): beyond what is free it bills.")
        }
        return found
    }
}
