// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Fills batches with the requests of a log, and hands them on.
struct BatchWriter: RequestSink {
    private let deliver: (RequestBatch) throws -> Void
    private var batch: RequestBatch

    private init(hasNames: Bool, _ deliver: @escaping (RequestBatch) throws -> Void) {
        self.deliver = deliver
        batch = RequestBatch(hasNames: hasNames)
    }

    /// Has a log read, and hands on all its batches.
    static func write(
        hasNames: Bool,
        _ read: (inout BatchWriter) throws -> Void,
        deliver: (RequestBatch) throws -> Void
    ) throws {
        try withoutActuallyEscaping(deliver) { deliver in
            var writer = BatchWriter(hasNames: hasNames, deliver)
            try read(&writer)
            try writer.flush()
        }
    }

    mutating func take(_ request: borrowing LoggedRequest) throws {
        batch.take(request)
        if batch.isFull { try flush() }
    }

    mutating func takeUnreadable(_ line: UnreadableLine) { batch.takeUnreadable(line) }

    private mutating func flush() throws {
        guard !batch.isEmpty else { return }
        try deliver(batch)
        batch.removeAll()
    }
}
