// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads a third-party log from its beginning to its end.
package struct LogReader {
    private let path: String
    private let name: String
    private let format: LogFormat

    /// Opens a log, which errors call by its name; its format is recognized by its beginning where none is given.
    package init(_ path: String, named name: String? = nil, format: LogFormat? = nil) throws {
        self.path = path
        self.name = name ?? path
        self.format = try format ?? LogFormat(detectedIn: path)
    }

    /// Takes all requests to a sink, less those that the same logs have twice; those of session logs have sinks of their own.
    package func read<Sink: RequestSink>(into sink: inout Sink, recent: inout RecentRequests) throws {
        let hasNames = sink.readsNames
        func take(_ batch: RequestBatch) throws { try batch.take(to: &sink, recent: &recent) }
        if Sink.isSlow {
            try BatchQueue.run(hasNames: hasNames, { try parse(into: &$0) }, take: take)
        } else {
            try BatchWriter.write(hasNames: hasNames, { try parse(into: &$0) }, deliver: take)
        }
    }

    /// Takes all requests to a sink, also those that are there twice.
    func parse(into sink: inout some RequestSink) throws {
        switch format {
        case .usageCSV:
            var csv = UsageCSV(name)
            try LineBlocks(path).read { try csv.read($0, into: &sink) }
        case .access(let lines):
            var log = AccessLog(name, format: lines)
            try LineBlocks(path).read { try log.read($0, into: &sink) }
        case .har:
            var archive = HAR(name)
            try LineBlocks(path, isSplitAnywhere: true).read { try archive.read($0, into: &sink) }
            try archive.finish()
        case .cloudLogging:
            var entries = CloudLogging(name)
            try LineBlocks(path, isSplitAnywhere: true).read { try entries.read($0, into: &sink) }
            try entries.finish()
        case .session: preconditionFailure("a session log is read by SessionLogReader")
        }
    }
}
