// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CacheSimulation

/// The images that one user's app asks for, whether or not a cache has them.
struct AskedImages: Sendable {
    /// A request for the image of a key, for a view of the log.
    struct Request: Sendable {
        let view: Int
        let key: Int
        let byteCount: Int
    }

    /// The requests in their order.
    private(set) var requests: [Request] = []
    /// The numbers of requests before which the app was started again.
    private var relaunches: [Int] = []

    /// Takes in a step for a view.
    mutating func add(_ step: SimulatedStep, isRelaunch: Bool, view: Int) {
        if isRelaunch { relaunches.append(requests.count) }
        step.forEachDelivery { delivery in
            guard delivery.source != .failed else { return }
            requests.append(Request(view: view, key: delivery.key, byteCount: delivery.byteCount))
        }
    }

    /// The requests as traces: one, or one for each launch where nothing is kept over a relaunch.
    func traces(isKeptOverRelaunch: Bool) -> [ListedTrace] {
        var traces: [ListedTrace] = []
        var start = 0
        for end in (isKeptOverRelaunch ? [] : relaunches) + [requests.count] where end > start {
            var (trace, numbers) = (ListedTrace(), [Int: Int]())
            for request in requests[start..<end] {
                let number = numbers[request.key] ?? numbers.count
                numbers[request.key] = number
                trace.append(number, byteCount: request.byteCount)
            }
            traces.append(trace)
            start = end
        }
        return traces
    }
}
