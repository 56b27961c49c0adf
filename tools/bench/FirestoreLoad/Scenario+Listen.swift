// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The messages of one Listen stream.
final class Listener: StreamObserver {
    static let target = 2

    private(set) var isCurrent = false
    /// The time of the last consistent snapshot, in nanoseconds since 1970.
    private(set) var snapshotTime = 0
    private(set) var snapshotArrival = 0
    private(set) var documentChangeCount = 0
    private(set) var messageCount = 0

    func received(_ message: UnsafeRawBufferPointer, on stream: RPCStream) throws(LoadError) {
        messageCount += 1
        var reader = ProtobufReader(message)
        while let (field, value) = try reader.next() {
            guard case .data(let bytes) = value else { continue }
            if field == 3 { documentChangeCount += 1 }
            if field == 2 { try receivedTargetChange(bytes) }
        }
    }

    func ended(_ stream: RPCStream) throws(LoadError) {
        throw .unexpected("the end of a Listen stream")
    }

    private func receivedTargetChange(_ change: UnsafeRawBufferPointer) throws(LoadError) {
        var reader = ProtobufReader(change)
        var type: UInt64 = 0
        var isOfTargets = false
        var readTime: UnsafeRawBufferPointer?
        while let (field, value) = try reader.next() {
            switch (field, value) {
            case (1, .integer(let number)): type = number
            case (2, _): isOfTargets = true
            case (6, .data(let bytes)): readTime = bytes
            default: break
            }
        }
        if type == 2 { throw .unexpected("REMOVE for a target") }
        if type == 3 { isCurrent = true }
        guard type == 0, !isOfTargets, let readTime else { return }
        snapshotTime = try ProtobufReader.timestamp(readTime)
        snapshotArrival = Clocks.monotonic()
    }
}

extension Scenario {
    /// `--listeners` streams on one query of `--feed` documents; then one of these is updated.
    ///
    /// The latencies are those from the Commit to the snapshot of each stream.
    func listen() throws(LoadError) -> Measurement {
        let feedCount = try options.integer("feed", default: 50)
        _ = try call("Commit", firestore.commit(try posts(0..<feedCount)))
        let listeners = try openListeners(query: SampleQuery(limit: feedCount))
        let initialStart = Clocks.monotonic()
        try pool.run { listeners.allSatisfy { $0.isCurrent && $0.snapshotTime > 0 } }
        let initialSeconds = Double(Clocks.monotonic() - initialStart) / 1e9
        let initial = Totals(listeners, pool)

        var measurement = Measurement(pool)
        let start = Clocks.monotonic()
        let commitTime = try update(SamplePost(index: feedCount / 2, collectionCount: try documentCount(), version: 1))
        try pool.run { listeners.allSatisfy { $0.snapshotTime >= commitTime } }
        let latencies = listeners.map { $0.snapshotArrival - start }
        let messageCount = Totals(listeners, pool).messages - initial.messages
        measurement.finish(pool, latencies: latencies, messageCount: messageCount)
        // Late changes count too: a change sent twice must not go unnoticed.
        try pool.run(milliseconds: try options.integer("settle", default: 500))
        let total = Totals(listeners, pool)
        measurement.add("documentChanges", total.documentChanges - initial.documentChanges)
        measurement.add("updateMessages", total.messages - initial.messages)
        measurement.add("updateBytes", total.bytes - initial.bytes)
        measurement.add("initialSeconds", initialSeconds, decimals: 6)
        measurement.add("initialDocumentChanges", initial.documentChanges)
        measurement.add("initialBytes", initial.bytes)
        return measurement
    }

    private func openListeners(query: SampleQuery) throws(LoadError) -> [Listener] {
        let request = Connection.framed(firestore.listen(query, target: Listener.target))
        let count = try options.integer("listeners", default: 1_000)
        return try (0..<count).map { index throws(LoadError) in
            let connection = pool.connections[index % pool.connections.count]
            // One stream stays free for the Commit.
            guard connection.streams.count + 1 < connection.peer.streamCountMax else {
                throw LoadError(
                    message: "the server allows \(connection.peer.streamCountMax) streams; use more --connections"
                )
            }
            let listener = Listener()
            connection.start(
                path: Firestore.service + "Listen",
                request: request,
                endsAfterRequest: false,
                observer: listener
            )
            return listener
        }
    }

    /// The commit time, in nanoseconds since 1970.
    private func update(_ post: SamplePost) throws(LoadError) -> Int {
        try call("Commit", firestore.commit([post])).withMessageBytes { bytes throws(LoadError) in
            guard let time = try ProtobufReader.data(2, of: bytes) else { throw .unexpected("no commit time") }
            return try ProtobufReader.timestamp(time)
        }
    }
}

private struct Totals {
    var messages: Int
    var documentChanges: Int
    var bytes: Int

    init(_ listeners: [Listener], _ pool: ConnectionPool) {
        messages = listeners.reduce(0) { $0 + $1.messageCount }
        documentChanges = listeners.reduce(0) { $0 + $1.documentChangeCount }
        bytes = pool.receivedByteCount
    }
}
