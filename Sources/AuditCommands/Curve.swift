// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import CacheSimulation
import Foundation
import Metering
import SessionAudit
import SessionLog

/// `firemeter audit curve`.
struct Curve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what caches of growing sizes would miss, under each policy.",
        discussion: """
            What users ask for is simulated with the very policies that FeedClient caches with; no byte is moved. The curve of \
            LRU is exact and takes one pass for all sizes. Of a session log, each user has a cache of their own.

            Examples:
              firemeter audit curve fixtures/session.log --strategy thumbnails
              firemeter audit curve requests.oracleGeneral.bin
              firemeter audit curve requests.oracleGeneral.bin --policy lru --policy sieve --size 64MB --size 256MB
              firemeter audit curve requests.oracleGeneral.bin --policy lru --format csv > lru.csv
            """
    )

    /// The forms of the report.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table
        case json
        case csv
    }

    @Argument(help: "A session log, or a trace of requests in the format oracleGeneral.")
    var trace: String
    @OptionGroup var session: SessionOptions
    @Option(
        name: .customLong("policy"),
        help: ArgumentHelp(
            "A policy; may be given several times. Default: all of "
                + SimulatedPolicy.all.map(\.name).joined(separator: ", ") + ".",
            valueName: "name"
        )
    )
    var policies: [SimulatedPolicy] = []
    @Option(
        name: .customLong("size"),
        help: ArgumentHelp(
            "A size of the cache, such as 64MB or 64MiB; may be given several times. Default: powers of two.",
            valueName: "size"
        )
    )
    var sizes: [CacheSize] = []
    @Option(help: "The form of the report: table, json or csv.")
    var format = Format.table

    func run() async throws {
        try await exitingWithCode {
            let traces = try await traces()
            Terminal.endProgress()
            let report = try CurveReport(
                trace,
                of: traces,
                policies: policies.isEmpty ? SimulatedPolicy.all : policies,
                sizes: sizes.map(\.byteCount)
            )
            switch format {
            case .table: try Terminal.say(report.table)
            case .json: try Terminal.say(report.json())
            case .csv: try Terminal.say(report.csv)
            }
        }
    }

    private func traces() async throws -> [any RequestTrace] {
        guard SessionLog.isLog(trace) else { return [try OracleTrace(trace)] }
        return try await session.auditor(of: trace).imageTraces(of: try session.strategy()).byClient
    }
}

/// The size of a cache on the command line.
struct CacheSize: ExpressibleByArgument {
    let byteCount: Int

    init?(argument: String) {
        guard let size = ByteSize(argument), let byteCount = Int(exactly: size.byteCount),
            (1...1 << 50).contains(byteCount)
        else {
            return nil
        }
        self.byteCount = byteCount
    }
}

extension SimulatedPolicy: ExpressibleByArgument {
    /// Takes a policy by its name.
    public init?(argument: String) { self.init(named: argument) }

    /// The names of all policies.
    public static var allValueStrings: [String] { all.map(\.name) }
}
