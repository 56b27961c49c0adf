// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
package import ConsoleServer
import Foundation
import LogImport
package import Metering
import SessionLog

/// Audits the session that an emulator is recording, for its console.
package struct LiveAudit: Sendable {
    private let profile: PriceProfile

    /// Creates an auditor; costs are those of a profile.
    package init(pricedBy profile: PriceProfile) { self.profile = profile }

    /// Simulates strategies on a log, and returns the report.
    ///
    /// - Parameters:
    ///   - path: The log.
    ///   - question: The strategies; none for those that `firemeter audit replay` takes without any.
    /// - Returns: The report, in the form that is asked for.
    /// - Throws: ``AuditRefusal`` where the log or the question has none.
    package func report(on path: String, _ question: AuditQuestion) async throws -> String {
        do {
            let strategies = try question.strategies.map { try Strategy($0) }
            let source = try SessionSource(path)
            guard !source.isEmpty else { throw AuditError.noViews }
            let network = try question.network.map { try Network(named: $0) } ?? .default
            let auditor = try SessionAuditor(
                source,
                path: path,
                mode: .simulate,
                network: network,
                wantsCurves: question.form == .html
            )
            let result = try await auditor.result(of: strategies.isEmpty ? Strategy.presets : strategies)
            let report = ReplayReport(
                session: try await AuditedSession(auditor.sessions, from: question.name),
                profile: profile,
                network: network,
                outcomes: result.outcomes,
                curves: result.curves
            )
            return try report.text(as: question.form == .html ? .html : .json)
        } catch let error as AuditError {
            throw AuditRefusal(error.description)
        } catch let error as StrategyError {
            throw AuditRefusal(error.description)
        } catch let error as SessionLogError {
            throw AuditRefusal(error.description)
        } catch let error as LogImportError {
            throw AuditRefusal(error.description)
        }
    }
}
