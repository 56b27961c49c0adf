// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The transport over Foundation's `URLSession`, without its cache and cookies: what is sent is what was asked for.
public final class URLSessionTransport: HTTPTransport {
    /// The connections to one host by default.
    public static let connectionCountMaxDefault = 6
    /// The most bytes of a response's body; a larger one is an error.
    public static let responseByteCountMax = 64 << 20
    /// How the client names itself to servers.
    public static let userAgent = "Firemeter-FeedClient/0.1"

    private let collector: ResponseCollector
    private let session: URLSession

    /// Creates a transport with connections of its own, to each host up to a number.
    public convenience init(connectionCountMax: Int = URLSessionTransport.connectionCountMaxDefault) {
        self.init(connectionCountMax: connectionCountMax, responseByteCountMax: Self.responseByteCountMax)
    }

    package init(connectionCountMax: Int = connectionCountMaxDefault, responseByteCountMax: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpMaximumConnectionsPerHost = connectionCountMax
        collector = ResponseCollector(byteCountMax: responseByteCountMax)
        session = URLSession(configuration: configuration, delegate: collector, delegateQueue: collector.queue)
    }

    // The session keeps its delegate and its connections until it learns that no task will follow.
    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request over a connection of the session; returns when the response's head has come.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        let task = session.dataTask(with: Self.urlRequest(request))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                collector.expect(task, completion: continuation)
                task.resume()
                // A cancellation before the collector expected the task has found nothing to end.
                if Task.isCancelled { collector.abandon(task) }
            }
        } onCancel: {
            collector.abandon(task)
        }
    }

    private static func urlRequest(_ request: TransportRequest) -> URLRequest {
        var urlRequest = URLRequest(url: request.url)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body
        urlRequest.setValue(userAgent, forHTTPHeaderField: "User-Agent")
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        return urlRequest
    }
}
