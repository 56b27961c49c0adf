// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LogImport
import SessionLog

/// The logs that people have, and how to read them.
struct LogOptions: ParsableArguments {
    @Argument(help: "The logs; '-' is standard input.")
    var logs: [String]
    @Option(
        name: .customLong("log-format"),
        help: ArgumentHelp(
            "The format of the logs: \(LogFormat.names.joined(separator: ", ")), or that of the lines of an access log as nginx or "
                + "Apache is told it. Default: what each begins as.",
            valueName: "format"
        )
    )
    var formatText: String?

    @Flag(
        help: """
            Of usage and access logs: pass over lines that are not of the format, and count them, instead of refusing \
            the log.
            """
    )
    var skipBadLines = false

    func validate() throws { _ = try format() }

    /// Takes the requests of all logs to a sink; session logs are handed to `readSession` with their paths.
    func read<Sink: RequestSink>(into sink: inout Sink, session readSession: (inout Sink, String) throws -> Void) throws
    {
        let format = try format()
        var recent = RecentRequests()
        for log in logs {
            Terminal.progress("reading \(log)")
            var reader = try InputLog.reader(log, format: format)
            reader.skipsUnreadableLines = skipBadLines
            if reader.format == .session {
                try readingSessionLog(log) { try readSession(&sink, try InputLog.path(log, openedBy: reader)) }
            } else {
                try reader.read(into: &sink, recent: &recent)
            }
        }
    }

    /// Takes the requests of all logs to a sink, and the lines of session logs.
    func read<Sink: RequestSink>(into sink: inout Sink, take: (inout Sink, SessionEntry) throws -> Void) throws {
        try read(into: &sink) { (sink, path) in
            let reader = try SessionLogReader(path)
            while let entry = try reader.next() { try take(&sink, entry) }
            Terminal.noteCutOffLines(reader.cutOffLineCount, in: path)
        }
    }

    func format() throws -> LogFormat? {
        do throws(AccessLogFormatError) {
            return try formatText.map(LogFormat.init)
        } catch {
            throw ValidationError("--log-format: \(error).")
        }
    }
}
