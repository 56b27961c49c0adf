// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// The result of a stress trial, as JSON for the caller.
struct StressSummary: Codable, Sendable {
    var right = 0
    var wrong = 0
    var typedErrors = 0
    var otherErrors = 0
    var cancelled = 0
    var faults = 0
    var networkLoads = 0
    var joined = 0
    var memoryHits = 0
    var diskHits = 0
    var diskWriteFailures = 0
    /// Bytes of bodies by cause.
    var bytes: [String: Int] = [:]
    /// The process's memory after each quarter.
    var residentByteCounts: [Int] = []

    mutating func add(_ statistics: PipelineStatistics, _ totals: [ByteCause: Int]) {
        networkLoads = statistics.networkLoads
        joined = statistics.joined
        memoryHits = statistics.memoryHits
        diskHits = statistics.diskHits
        diskWriteFailures = statistics.diskWriteFailures
        bytes = Dictionary(uniqueKeysWithValues: totals.map { ($0.key.rawValue, $0.value) })
    }
}
