// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import CacheSimulation

/// The images that users' apps asked for: one trace for each user, since each has caches of their own.
package struct ImageTraces: Sendable, Hashable {
    private var numbers: [String: Int] = [:]
    private var numbersByClient: [String: [Int: Int]] = [:]
    private var traces: [String: ListedTrace] = [:]
    private var closed: [ListedTrace] = []
    /// All requests in the order of the log, as a cache that all users share would see them.
    package private(set) var shared = ListedTrace()

    /// Creates traces without requests.
    package init() {}

    /// The users' traces; those that ended come first, then the others in the order of the users' names.
    package var byClient: [ListedTrace] { closed + traces.keys.sorted().compactMap { traces[$0] } }

    /// The trace of one user; `nil` where the log has no such user, or the user asked for nothing.
    package func trace(of client: String) -> ListedTrace? { traces[client] }

    /// Ends the trace of a user: what is asked for next begins another.
    mutating func close(_ client: String) {
        numbersByClient[client] = nil
        if let trace = traces.removeValue(forKey: client) { closed.append(trace) }
    }

    mutating func append(_ key: String, byteCount: Int, client: String) {
        let number = numbers[key] ?? numbers.count
        numbers[key] = number
        shared.append(number, byteCount: byteCount)
        let ofClient = numbersByClient[client]?[number] ?? numbersByClient[client]?.count ?? 0
        numbersByClient[client, default: [:]][number] = ofClient
        traces[client, default: ListedTrace()].append(ofClient, byteCount: byteCount)
    }
}
