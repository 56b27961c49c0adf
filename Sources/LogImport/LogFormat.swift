// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog

/// The formats of logs that are read.
package enum LogFormat: Sendable, Hashable {
    /// Usage logs of Cloud Storage.
    case usageCSV
    /// HTTP archives of browsers and proxies.
    case har
    /// Entries of Cloud Logging as JSON.
    case cloudLogging
    /// Access logs of nginx and Apache, with lines of this form.
    case access(AccessLogFormat)
    /// Session logs, as `firemeter serve --record` writes them.
    case session

    /// The names of formats.
    package static let names = ["usage-csv", "har", "cloud-logging", "session"] + AccessLogFormat.names

    /// Finds a format by its name, or takes the text for the form of an access log's lines.
    package init(_ text: String) throws(AccessLogFormatError) {
        switch text {
        case "usage-csv": self = .usageCSV
        case "har": self = .har
        case "cloud-logging": self = .cloudLogging
        case "session": self = .session
        default:
            guard AccessLogFormat.names.contains(text) || text.contains(where: { "$%".contains($0) }) else {
                throw AccessLogFormatError(
                    "'\(text)' is no format; expected one of \(Self.names.joined(separator: ", ")), or one such as $remote_addr … or %h …"
                )
            }
            self = .access(try AccessLogFormat(text))
        }
    }

    /// The format in words.
    package var description: String {
        switch self {
        case .usageCSV: "a usage log of Cloud Storage"
        case .har: "a HAR"
        case .cloudLogging: "a log of Cloud Logging"
        case .access: "an access log"
        case .session: "a session log"
        }
    }

    /// The format of a file; `nil` for one that is not known, or cannot be read.
    ///
    /// Other JSON than logs is not taken for one of Cloud Logging.
    package static func recognized(in path: String) -> LogFormat? {
        guard let source = try? PeekedSource(openDecompressed(path)), let start = try? beginning(of: source),
            let format = LogFormat(beginning: start)
        else { return nil }
        let words = ["\"insertId\"", "\"httpRequest\"", "\"protoPayload\""]
        return format == .cloudLogging && !words.contains(where: start.contains) ? nil : format
    }

    /// The beginning of a file, decompressed, without what is blank.
    private static func beginning(of source: PeekedSource) throws -> String {
        var start = String(decoding: try source.beginning(), as: UTF8.self)
        if start.hasPrefix("\u{FEFF}") { start.removeFirst() }
        return start.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Recognizes the format of a log by its beginning.
    init(detectedIn source: PeekedSource, named name: String) throws {
        let start = try Self.beginning(of: source)
        guard let format = LogFormat(beginning: start) else {
            throw LogImportError(
                path: name,
                line: nil,
                problem: start.isEmpty
                    ? "is empty"
                    : "is not a log that is known; expected one of \(Self.names.joined(separator: ", "))"
            )
        }
        self = format
    }

    private init?(beginning start: String) {
        if start.hasPrefix("\"time_micros\"") || start.hasPrefix("time_micros,") {
            self = .usageCSV
        } else if start.hasPrefix("{\""), start.prefix(4_096).contains("\"firemeter.session/") {
            self = .session
        } else if start.hasPrefix("{"), start.contains("\"log\""), start.prefix(4_096).contains("\"version\"") {
            self = .har
        } else if start.hasPrefix("{") || start.hasPrefix("[") {
            self = .cloudLogging
        } else if start.prefix(4_096).contains("] \"") {
            self = .access(.combined)
        } else {
            return nil
        }
    }
}

/// Why a third-party log cannot be read.
package struct LogImportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path.
    package let path: String
    /// The line or the entry that is wrong, from 1; `nil` where it is the whole file.
    package let line: Int?
    /// The problem.
    package let problem: String

    package var description: String { path + (line.map { ", line \($0)" } ?? "") + ": \(problem)" }
}
