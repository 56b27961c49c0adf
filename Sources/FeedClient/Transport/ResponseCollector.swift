// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Gathers the bodies of a session's tasks, each up to a limit, which `data(for:)` would not keep.
final class ResponseCollector: NSObject, URLSessionDataDelegate {
    typealias Completion = CheckedContinuation<TransportResponse, any Error>

    private struct Exchange {
        let completion: Completion
        var body = Data()
        var isTooLarge = false
    }

    private let byteCountMax: Int
    private let exchanges = Locked<[Int: Exchange]>([:])

    init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

    /// Resumes the continuation when the task, which must not have begun, has ended.
    func expect(_ task: URLSessionTask, _ completion: Completion) {
        exchanges.withLock { $0[task.taskIdentifier] = Exchange(completion: completion) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = exchanges.withLock { exchanges in
            guard var exchange = exchanges.removeValue(forKey: dataTask.taskIdentifier) else { return false }
            exchange.isTooLarge = exchange.body.count + data.count > byteCountMax
            if !exchange.isTooLarge { exchange.body.append(data) }
            exchanges[dataTask.taskIdentifier] = exchange
            return exchange.isTooLarge
        }
        if isTooLarge { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if exchange.isTooLarge {
            exchange.completion.resume(throwing: FeedError.responseTooLarge(byteCountMax: byteCountMax))
        } else if let error {
            exchange.completion.resume(throwing: error)
        } else if let response = task.response as? HTTPURLResponse {
            exchange.completion.resume(
                returning: TransportResponse(status: response.statusCode, body: exchange.body)
            )
        } else {
            exchange.completion.resume(throwing: URLError(.badServerResponse))
        }
    }
}
