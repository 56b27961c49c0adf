// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Sends prepared requests with a fixed number in flight: each answer lets the next one go.
final class ClosedLoop: StreamObserver {
    typealias Inspection = (UnsafeRawBufferPointer) throws(LoadError) -> Void

    private let path: String
    private let requests: [[UInt8]]
    private let inspect: Inspection
    private var startedCount = 0
    private var latencies: [Int] = []
    private var messageCount = 0

    private init(path: String, requests: [[UInt8]], inspect: @escaping Inspection) {
        self.path = path
        self.requests = requests
        self.inspect = inspect
        latencies.reserveCapacity(requests.count)
    }

    /// Runs all requests, each a whole message; `inspect` sees every message of every answer.
    static func run(
        _ path: String,
        _ messages: [[UInt8]],
        inFlight: Int,
        on pool: ConnectionPool,
        inspect: @escaping Inspection
    ) throws(LoadError) -> Measurement {
        let loop = ClosedLoop(path: path, requests: messages.map(Connection.framed), inspect: inspect)
        var measurement = Measurement(pool)
        for index in 0..<inFlight { loop.startNext(on: pool.connections[index % pool.connections.count]) }
        try pool.run { loop.latencies.count == messages.count }
        measurement.finish(pool, latencies: loop.latencies, messageCount: loop.messageCount)
        return measurement
    }

    func received(_ message: UnsafeRawBufferPointer, on stream: RPCStream) throws(LoadError) {
        messageCount += 1
        try inspect(message)
    }

    func ended(_ stream: RPCStream) {
        latencies.append(Clocks.monotonic() - stream.startedAt)
        startNext(on: stream.connection)
    }

    private func startNext(on connection: Connection) {
        guard startedCount < requests.count else { return }
        startedCount += 1
        connection.start(path: path, request: requests[startedCount - 1], observer: self)
    }
}
