// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The measurement of a scenario, printed as one line of JSON.
struct Measurement {
    private let startedAt = Clocks.monotonic()
    private let processorStart = Clocks.processor()
    private let receivedStart: Int
    private let sentStart: Int
    private var latencies: [Int] = []
    private var figures: [(name: String, value: String)] = []

    init(_ pool: ConnectionPool) {
        receivedStart = pool.receivedByteCount
        sentStart = pool.sentByteCount
    }

    mutating func finish(_ pool: ConnectionPool, latencies: [Int], messageCount: Int) {
        let seconds = Double(Clocks.monotonic() - startedAt) / 1e9
        self.latencies = latencies.sorted()
        add("operations", latencies.count)
        add("seconds", seconds, decimals: 6)
        add("operationsPerSecond", Double(latencies.count) / seconds, decimals: 2)
        add("p50Milliseconds", percentile(50), decimals: 4)
        add("p99Milliseconds", percentile(99), decimals: 4)
        add("messages", messageCount)
        add("bytesReceived", pool.receivedByteCount - receivedStart)
        add("bytesSent", pool.sentByteCount - sentStart)
        add("clientProcessorSeconds", Double(Clocks.processor() - processorStart) / 1e9, decimals: 6)
    }

    mutating func add(_ name: String, _ value: Int) {
        figures.append((name, String(value)))
    }

    mutating func add(_ name: String, _ value: Double, decimals: Int) {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        figures.append((name, String((value * scale).rounded() / scale)))
    }

    func json(scenario: String) -> String {
        let pairs = figures.map { "\"\($0.name)\":\($0.value)" }
        return "{\"scenario\":\"\(scenario)\",\(pairs.joined(separator: ","))}"
    }

    private func percentile(_ percent: Int) -> Double {
        guard !latencies.isEmpty else { return 0 }
        return Double(latencies[min(latencies.count - 1, latencies.count * percent / 100)]) / 1e6
    }
}
