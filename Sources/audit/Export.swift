// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import CacheSimulation
import Foundation
import SessionAudit

/// `audit export`.
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write what a session's users ask for as a trace for cache simulators.",
        discussion: """
            The format is oracleGeneral: records of 24 bytes in little-endian order, u32 time (the number of the request), u64 \
            id, u32 bytes, i64 the number of the next request of that id. Without --client the requests of all users are in \
            one trace, as a cache that they share would see them.

            Examples:
              audit export fixtures/session.log --output all.oracleGeneral.bin
              audit export session.log --strategy all-images --client u1 --output u1.oracleGeneral.bin
              audit curve u1.oracleGeneral.bin
            """
    )

    @Argument(help: "The session log.")
    var log: String
    @OptionGroup var session: SessionOptions
    @Option(help: ArgumentHelp("The user; default: all of them.", valueName: "name"))
    var client: String?
    @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
    var output: String

    func run() async throws {
        try await exitingWithCode {
            let traces = try await session.auditor(of: log).imageTraces(of: try session.strategy())
            Terminal.endProgress()
            guard let trace = client.map({ traces.trace(of: $0) }) ?? traces.shared, trace.count > 0 else {
                throw client.map { AuditError.noSuchClient($0, in: log) } ?? AuditError.nothingAskedFor
            }
            do {
                try OracleTrace.file(of: trace).write(to: URL(fileURLWithPath: output), options: .atomic)
            } catch {
                throw CommandFailure.cannotWrite(output, error: error)
            }
            Terminal.note("\(output): \(trace.count) requests")
        }
    }
}
