// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalFirebase
import SessionAudit
import SuiteFiles

extension Emulator {
    /// Creates an emulator whose events a printer shows.
    init(_ configuration: EmulatorConfiguration, shownBy printer: ServePrinter) {
        var configuration = configuration
        configuration.sessionAudit = LiveAudit(pricedBy: configuration.profile).report
        self.init(
            configuration,
            onSeedProgress: printer.seedProgress,
            onSeeded: printer.seeded,
            onExport: printer.printExport,
            onQuota: printer.showsProgress ? printer.quota : nil
        )
    }

    /// Serves while `body` runs, and says how that went.
    ///
    /// - Parameters:
    ///   - printer: Shows the addresses, or why they are not served.
    ///   - plan: The project's files, by which it serves.
    ///   - start: When the process began.
    ///   - forcedEnd: Ends the process when it is asked to a second time.
    ///   - body: Begins when all ports accept connections; is cancelled by signals.
    /// - Returns: What `body` returned; `nil` when a signal came before it began.
    /// - Throws: `ExitCode`.
    @discardableResult
    func serve<Result: Sendable>(
        _ printer: ServePrinter,
        of plan: SuitePlan? = nil,
        since start: ContinuousClock.Instant,
        endedBy forcedEnd: ForcedEnd,
        while body: @escaping @Sendable (EmulatorAddresses) async throws -> Result
    ) async throws -> Result? {
        let signals = plan == nil ? Self.terminationSignals : Self.suiteTerminationSignals
        var emulator = self
        emulator.endSignals = EndSignals(signals) { forcedEnd.answer($0, in: self) }
        do {
            let result = try await emulator.run(stoppingOn: signals) { addresses in
                let startup = start.duration(to: .now)
                if let plan {
                    printer.ready(addresses, of: plan, after: startup)
                } else {
                    printer.ready(addresses, after: startup)
                }
                return try await body(addresses)
            }
            printer.ended()
            return result
        } catch let error as EmulatorError where error.code == .stopped {
            // While seeding: there is nothing in flight, and the next start loads the data set again.
            return nil
        } catch let error as EmulatorError {
            printer.failed(error)
            throw ExitCode(error.exitCode)
        }
    }
}
