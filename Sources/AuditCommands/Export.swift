// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import CacheSimulation
import Foundation
import LogImport
import SessionAudit
import SessionLog

/// `firemeter audit export`.
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a log for other programs: a table of its requests, or a trace for cache simulators.",
        discussion: """
            A table has a row for each request of logs of any format that 'firemeter audit totals' reads, in CSV with \
            a line of headings, as DuckDB, BigQuery and Spark read it; its sums are the totals (docs/sql.md). Requests that usage logs and Cloud \
            Logging name twice are in it once. Callers are numbered.

            A trace has what a session's users ask for, in the format oracleGeneral: records of 24 bytes in little-endian order, \
            u32 time (the number of the request), u64 id, u32 bytes, i64 the number of the next request of that id. Without \
            --client the requests of all users are in one trace, as a cache that they share would see them.

            The name of the output says which: .csv, or any other.

            Examples:
              firemeter audit export usage_2026_11_20_*.csv.gz --output requests.csv
              firemeter audit export fixtures/session.log --output all.oracleGeneral.bin
              firemeter audit export session.log --strategy all-images --client u1 --output u1.oracleGeneral.bin
              firemeter audit curve u1.oracleGeneral.bin
            """
    )

    @OptionGroup var reading: LogOptions
    @OptionGroup var session: SessionOptions
    @Option(help: ArgumentHelp("The user; default: all of them.", valueName: "name"))
    var client: String?
    @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
    var output: String

    private var isTable: Bool { output.hasSuffix(".csv") }

    func validate() throws {
        guard isTable || reading.logs.count == 1, isTable || reading.formatText == nil else {
            throw ValidationError("a trace is of one session log; a table's --output ends with .csv.")
        }
        guard !isTable || client == nil else { throw ValidationError("--client goes with a trace.") }
    }

    func run() async throws {
        try await exitingWithCode {
            if isTable { try writeTable() } else { try await writeTrace(of: reading.logs[0]) }
        }
    }

    private func writeTable() throws {
        guard FileManager.default.createFile(atPath: output, contents: nil),
            let file = FileHandle(forWritingAtPath: output)
        else {
            throw CommandFailure(exitCode: 74, message: "cannot write \(output): \(String(cString: strerror(errno)))")
        }
        let path = output
        var table = RequestTable { bytes in
            do { try file.write(contentsOf: bytes) } catch { throw CommandFailure.cannotWrite(path, error: error) }
        }
        try reading.read(into: &table, take: { try $0.take($1) })
        try table.finish()
        Terminal.endProgress()
        Terminal.note("\(output): \(Figure.counted(table.rowCount, noun: "request"))")
        if let unreadable = table.passedOver.unreadable.sentence { Terminal.note(unreadable) }
    }

    private func writeTrace(of log: String) async throws {
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
