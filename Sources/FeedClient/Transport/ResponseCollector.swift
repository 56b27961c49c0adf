// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes on the heads and bodies of a session's tasks as they come, each body up to a limit.
final class ResponseCollector: NSObject, URLSessionDataDelegate {
    typealias Completion = CheckedContinuation<TransportResponse, any Error>
    typealias Pieces = AsyncThrowingStream<Data, any Error>.Continuation

    private enum Exchange {
        case awaitingHead(Completion)
        case reading(Pieces, byteCount: Int)
    }

    /// Where the session calls its delegate, one call at a time.
    let queue = OperationQueue()
    private let byteCountMax: Int
    private let exchanges = Locked<[Int: Exchange]>([:])

    init(byteCountMax: Int) {
        self.byteCountMax = byteCountMax
        queue.maxConcurrentOperationCount = 1
    }

    /// Resumes the continuation when the task, which must not have begun, has a response or none.
    func expect(_ task: URLSessionTask, completion: Completion) {
        exchanges.withLock { $0[task.taskIdentifier] = .awaitingHead(completion) }
    }

    /// Cancels a task and ends what waits for it.
    ///
    /// Foundation on Linux (6.3) does not always report the end of a task that is cancelled as it begins, and crashes
    /// when a task is cancelled as it ends (swift-corelibs-foundation#3296): so what waits is ended here, and the task is
    /// cancelled where its end is reported, one after the other.
    func abandon(_ task: URLSessionTask) {
        switch exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) {
        case .awaitingHead(let completion): completion.resume(throwing: CancellationError())
        case .reading(let pieces, _): pieces.finish(throwing: CancellationError())
        case nil: return
        }
        queue.addOperation {
            if task.state == .running || task.state == .suspended { task.cancel() }
        }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        begin(response, of: dataTask)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        // Whatever comes first, nothing of the body is lost.
        if let response = dataTask.response { begin(response, of: dataTask) }
        let reading = exchanges.withLock { exchanges -> (pieces: Pieces, byteCount: Int)? in
            guard case .reading(let pieces, let byteCount)? = exchanges[dataTask.taskIdentifier] else { return nil }
            exchanges[dataTask.taskIdentifier] = .reading(pieces, byteCount: byteCount + data.count)
            return (pieces, byteCount + data.count)
        }
        guard let reading else { return }
        guard reading.byteCount <= byteCountMax else {
            reading.pieces.finish(throwing: FeedError.responseTooLarge(byteCountMax: byteCountMax))
            return dataTask.cancel()
        }
        reading.pieces.yield(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // An empty response may end without having been announced.
        if error == nil, let response = task.response { begin(response, of: task) }
        switch exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) {
        case .awaitingHead(let completion): completion.resume(throwing: error ?? URLError(.badServerResponse))
        case .reading(let pieces, _): pieces.finish(throwing: error)
        case nil: return
        }
    }

    /// Follows a redirection; to another host it goes without credentials.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var request = request
        if request.url?.origin != task.originalRequest?.url?.origin {
            for name in CredentialFields.all { request.setValue(nil, forHTTPHeaderField: name) }
        }
        completionHandler(request)
    }

    private func begin(_ response: URLResponse, of task: URLSessionTask) {
        guard let response = response as? HTTPURLResponse else { return }
        let (stream, pieces) = AsyncThrowingStream.makeStream(of: Data.self, throwing: (any Error).self)
        let completion = exchanges.withLock { exchanges -> Completion? in
            guard case .awaitingHead(let completion)? = exchanges[task.taskIdentifier] else { return nil }
            exchanges[task.taskIdentifier] = .reading(pieces, byteCount: 0)
            return completion
        }
        guard let completion else { return }
        pieces.onTermination = { [weak self] termination in
            if case .cancelled = termination { self?.abandon(task) }
        }
        completion.resume(
            returning: TransportResponse(
                status: response.statusCode,
                headers: HeaderFields(response),
                body: TransportBody(stream)
            )
        )
    }
}

extension URL {
    /// Scheme, host and port (RFC 6454).
    fileprivate var origin: String { "\(scheme ?? "")://\(host ?? ""):\(port.map(String.init) ?? "")" }
}

extension HeaderFields {
    fileprivate init(_ response: HTTPURLResponse) {
        var fields: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields { fields[name] = value }
        self.init(fields)
    }
}
