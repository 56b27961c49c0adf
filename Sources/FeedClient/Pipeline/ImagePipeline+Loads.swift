// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ImagePipeline {
    func startLoads() {
        while loads.runningCount < configuration.concurrentLoadCountMax, let (id, load) = loads.startNext() {
            let request = load.reference.request(storage: storage)
            loads.setTask(
                Task { [transport] in
                    let result = await Self.fetch(request, name: load.reference.objectName, over: transport)
                    finish(id, result)
                },
                of: id
            )
        }
    }

    private static func fetch(
        _ request: TransportRequest,
        name: String,
        over transport: any HTTPTransport
    ) async -> Result<Data, FeedError> {
        do {
            return .success(try await transport.body(of: request, subject: name))
        } catch let error as FeedError {
            return .failure(error)
        } catch {
            return .failure(.noResponse(for: name, cause: error))
        }
    }

    private func finish(_ id: Int, _ result: Result<Data, FeedError>) {
        // An abandoned load is gone from the table, but it held its place among the running until now.
        if let load = loads.finish(id) {
            if case .success(let data) = result { store(data, of: load) }
            for (position, waiter) in load.waiters.enumerated() {
                count(result, isFirst: position == 0)
                deliver(result, to: waiter)
            }
        }
        startLoads()
    }

    private func store(_ data: Data, of load: Load) {
        do {
            try disk?.store(data, for: load.key, ticket: load.ticket)
        } catch {
            statistics.diskWriteFailures += 1
        }
        memory?.store(data, for: load.key, ticket: load.ticket)
    }

    private func count(_ result: Result<Data, FeedError>, isFirst: Bool) {
        switch result {
        case .failure:
            statistics.failures += 1
        case .success(let data) where isFirst:
            statistics.networkLoads += 1
            statistics.networkByteCount += data.count
        case .success(let data):
            statistics.joined += 1
            statistics.joinedByteCount += data.count
        }
    }

    /// Forgets a batch nobody listens to, and cancels the loads that only it waited for.
    func abandon(_ batchID: Int) {
        guard let batch = batches.removeValue(forKey: batchID) else { return }
        statistics.cancelled += batch.awaitedCount
        loads.abandon(batchID)
        startLoads()
    }
}
