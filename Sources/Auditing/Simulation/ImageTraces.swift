// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import CacheSimulation

/// The images that users' apps asked for: one trace for each user, since each has caches of their own.
package struct ImageTraces: Sendable, Hashable {
    /// A request of any user for an image, for a view of the log.
    private struct Request: Sendable, Hashable {
        let view: Int
        let key: String
        let byteCount: Int
    }

    /// Of each user the traces of all launches.
    private var traces: [String: [ListedTrace]] = [:]
    private var requests: [Request] = []

    /// Creates traces without requests.
    package init() {}

    /// The users' traces, in the order of the users' names.
    package var byClient: [ListedTrace] { traces.keys.sorted().flatMap { traces[$0] ?? [] } }

    /// All requests in the order of the log, as a cache that all users share would see them.
    package var shared: ListedTrace {
        var (trace, numbers) = (ListedTrace(), [String: Int]())
        // Sorting is stable: the requests for one view stay in their order.
        for request in requests.sorted(by: { $0.view < $1.view }) {
            let number = numbers[request.key] ?? numbers.count
            numbers[request.key] = number
            trace.append(number, byteCount: request.byteCount)
        }
        return trace
    }

    /// The trace of one user's last launch; `nil` where the log has no such user, or the user asked for nothing.
    package func trace(of client: String) -> ListedTrace? { traces[client]?.last }

    /// Adds what a user asked for; `text` is the text of a key.
    mutating func add(_ asked: AskedImages, of client: String, isKeptOverRelaunch: Bool, text: (Int) -> String) {
        let added = asked.traces(isKeptOverRelaunch: isKeptOverRelaunch)
        if !added.isEmpty { traces[client] = added }
        for request in asked.requests {
            requests.append(Request(view: request.view, key: text(request.key), byteCount: request.byteCount))
        }
    }

    /// Adds the traces of other users.
    mutating func add(_ other: ImageTraces) {
        traces.merge(other.traces) { $0 + $1 }
        requests += other.requests
    }
}
