// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads a third-party log from its beginning to its end.
package struct LogReader {
    private let path: String
    private let format: LogFormat

    /// Opens a log; its format is recognized by its beginning where none is given.
    package init(_ path: String, format: LogFormat? = nil) throws {
        self.path = path
        self.format = try format ?? LogFormat(detectedIn: path)
    }

    /// Takes all requests to a sink.
    package func read(into sink: inout some RequestSink) throws {
        switch format {
        case .usageCSV:
            var csv = UsageCSV(path)
            try LineBlocks(path).read { try csv.read($0, into: &sink) }
        case .access(let lines):
            var log = AccessLog(path, format: lines)
            try LineBlocks(path).read { try log.read($0, into: &sink) }
        case .har:
            var archive = HAR(path)
            try LineBlocks(path, isSplitAnywhere: true).read { try archive.read($0, into: &sink) }
            try archive.finish()
        case .cloudLogging:
            var entries = CloudLogging(path)
            try LineBlocks(path, isSplitAnywhere: true).read { try entries.read($0, into: &sink) }
            try entries.finish()
        }
    }
}
