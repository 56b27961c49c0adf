// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Metering
package import SessionLog

/// The answers of a feed's servers, each request made once.
package actor FeedCatalog {
    /// A request of a simulated client, and what became of it.
    ///
    /// Of the response only the size of its body is kept.
    struct Exchange: Sendable {
        let request: TransportRequest
        let status: Int
        let headers: HeaderFields
        let byteCount: Int
        let billed: BilledUsage

        /// The method and the address without its host, such as `GET /v0/b/…`.
        var line: String { "\(request.method) \(request.target)" }

        init(_ request: TransportRequest, answer: FirebaseAnswer) {
            self.request = request
            status = answer.response.status
            headers = answer.response.headers
            byteCount = answer.byteCount
            billed = answer.billed
        }

        /// The request for a page of a list whose answer was recorded.
        init(_ list: SessionView.List) {
            request =
                list.isOfObjects
                ? TransportRequest(method: "GET", url: SimulatedEndpoint.storage)
                : TransportRequest(method: "POST", url: SimulatedEndpoint.firestore)
            status = 200
            headers = [:]
            byteCount = Int(list.byteCount)
            billed = BilledUsage(
                egressBytes: list.byteCount,
                // Listing is of Class A: cloud.google.com/storage/pricing#operations-by-class, 2026-11.
                classA: list.isOfObjects ? 1 : 0,
                documentReads: list.documentReads
            )
        }
    }

    private struct Page {
        let page: FeedPage<FeedPost>
        let exchange: Exchange
    }

    private struct PageKey: Hashable {
        let listing: SessionView.Listing
        let number: Int
        let size: Int
        let cursor: FeedCursor?
    }

    nonisolated let endpoint: FeedEndpoint
    private let server: any FirebaseAnswering
    /// Whether the posts are those that a log of requests shows.
    nonisolated var isRecorded: Bool { recorded != nil }
    private let recorded: RecordedFeed?
    private var pages: [PageKey: Page] = [:]
    private var exchanges: [TransportRequest: Exchange] = [:]

    /// Creates a catalog of the feed that a log was recorded with.
    package init(of feed: SessionHeader.Feed, answeredBy server: any FirebaseAnswering) {
        endpoint = SimulatedEndpoint.endpoint(of: feed)
        self.server = server
        recorded = nil
    }

    /// Creates a catalog of the posts that a log of requests shows; without a server, the log says how large their images are.
    package init(of feed: RecordedFeed, answeredBy server: (any FirebaseAnswering)? = nil) {
        endpoint = SimulatedEndpoint.endpoint(of: RecordedFeed.address)
        if let server { self.server = server } else { self.server = feed }
        recorded = feed
    }

    /// The posts of these names; those of which no image is known are left out.
    nonisolated func posts(named names: [String]) -> [FeedPost] { recorded?.posts(named: names) ?? [] }

    /// A page of a list, and the request that brings it.
    func page(
        _ listing: SessionView.Listing,
        number: Int,
        size: Int,
        after cursor: FeedCursor?
    ) async throws -> (FeedPage<FeedPost>, Exchange) {
        let key = PageKey(listing: listing, number: number, size: size, cursor: cursor)
        if let known = pages[key] { return (known.page, known.exchange) }
        let tape = AnsweredTransport(server)
        let page = try await FeedRepository(endpoint: endpoint, transport: tape).page(
            listing,
            number: number,
            size: size,
            after: cursor
        )
        if let skipped = page.skipped.first { throw skipped.error }
        guard let exchange = tape.last else { preconditionFailure("a page is asked for in one request") }
        pages[key] = Page(page: page, exchange: exchange)
        return (page, exchange)
    }

    /// The answer to a request for an image or its metadata.
    func exchange(_ request: TransportRequest) async throws -> Exchange {
        if let known = exchanges[request] { return known }
        let exchange = Exchange(request, answer: try await server.answer(to: request))
        exchanges[request] = exchange
        return exchange
    }
}

/// Carries a repository's requests to a Firebase without a socket.
private final class AnsweredTransport: HTTPTransport {
    private let server: any FirebaseAnswering
    private let taped = Locked<FeedCatalog.Exchange?>(nil)

    init(_ server: any FirebaseAnswering) { self.server = server }

    var last: FeedCatalog.Exchange? { taped.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let answer = try await server.answer(to: request)
        taped.withLock { $0 = FeedCatalog.Exchange(request, answer: answer) }
        return answer.response
    }
}
