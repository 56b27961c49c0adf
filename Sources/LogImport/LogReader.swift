// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads a third-party log once, from its beginning to its end; it may be a pipe.
// Unchecked because the source is read by one thread: the one that was begun for it, or the caller's.
package struct LogReader: @unchecked Sendable {
    /// The format of the log.
    package let format: LogFormat
    /// Whether lines that are not of the format are passed over, instead of being an error; of usage and access logs.
    package var skipsUnreadableLines = false
    private let name: String
    private let source: PeekedSource

    /// Opens a log, which errors call by its name; its format is recognized by its beginning where none is given.
    package init(_ path: String, named name: String? = nil, format: LogFormat? = nil) throws {
        self.name = name ?? path
        source = PeekedSource(try openDecompressed(path))
        self.format = try format ?? LogFormat(detectedIn: source, named: name ?? path)
    }

    /// Copies the log, decompressed, to a writer of bytes.
    package func copy(_ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        while case let count = try source.read(into: buffer), count > 0 {
            try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
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
            var csv = UsageCSV(name, skipsUnreadableLines: skipsUnreadableLines)
            try LineBlocks(source, named: name).read { try csv.read($0, into: &sink) }
        case .access(let lines):
            var log = AccessLog(name, format: lines, skipsUnreadableLines: skipsUnreadableLines)
            try LineBlocks(source, named: name).read { try log.read($0, into: &sink) }
        case .har:
            var archive = HAR(name)
            try LineBlocks(source, named: name, isSplitAnywhere: true).read { try archive.read($0, into: &sink) }
            try archive.finish()
        case .cloudLogging:
            var entries = CloudLogging(name)
            try LineBlocks(source, named: name, isSplitAnywhere: true).read { try entries.read($0, into: &sink) }
            try entries.finish()
        case .session: preconditionFailure("a session log is read by SessionLogReader")
        }
    }
}
