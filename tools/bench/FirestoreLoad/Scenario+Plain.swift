// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Scenario {
    /// POSTs to `--path` of a plain HTTP/2 server, which show how fast the client itself is.
    func plain() throws(LoadError) -> Measurement {
        let post = SamplePost(index: 0, collectionCount: 1)
        let requests = Array(repeating: firestore.commit([post]), count: try operationCount(default: 100_000))
        let path = options.string("path", default: "/")
        return try ClosedLoop.run(path, requests, inFlight: try inFlight(), on: pool) { _ in }
    }
}
