// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog

/// Reads the feed's posts, one page per query.
public struct FeedRepository: Sendable {
    /// The most posts of one page.
    public static let pageSizeMax = SessionHeader.pageSizeMax

    /// Where the feed lives.
    public let endpoint: FeedEndpoint
    private let transport: any HTTPTransport
    private let ledger: ByteLedger?
    private let authorization: @Sendable () async throws -> String?

    /// Creates a repository, which books what it receives in the ledger.
    ///
    /// `authorization` returns the value of each request's `Authorization` header, if any.
    public init(
        endpoint: FeedEndpoint,
        transport: any HTTPTransport,
        ledger: ByteLedger? = nil,
        authorization: @escaping @Sendable () async throws -> String? = { nil }
    ) {
        self.endpoint = endpoint
        self.transport = transport
        self.ledger = ledger
        self.authorization = authorization
    }

    /// Fetches a page, from the cursor of the page before it or, without one, by an offset.
    ///
    /// Throws ``FeedError``, or `CancellationError` when the task is cancelled.
    public func page(
        sort: FeedSort,
        number: Int,
        size: Int,
        after cursor: FeedCursor? = nil,
        matching filter: FeedFilter? = nil
    ) async throws -> FeedPage {
        precondition(number >= 0, "a page number must not be negative (is \(number))")
        precondition((1...Self.pageSizeMax).contains(size), "a page has 1 to \(Self.pageSizeMax) posts (not \(size))")
        precondition(cursor == nil || cursor?.sort == sort, "a cursor continues the order it was made in")
        let query = FeedQuery(
            collection: endpoint.collection,
            sort: sort,
            number: number,
            size: size,
            cursor: cursor,
            filter: filter
        )
        let request = try await request(for: query)
        let subject = "runQuery on \(endpoint.collection)"
        let body = try await transport.body(of: request, subject: subject, ledger: ledger)
        return try query.page(responseBody: body)
    }

    private func request(for query: FeedQuery) async throws -> TransportRequest {
        let database = "projects/\(endpoint.project.percentEncoded)/databases/\(endpoint.database.percentEncoded)"
        var headers = ["Content-Type": "application/json"]
        if let authorization = try await authorization() { headers["Authorization"] = authorization }
        return TransportRequest(
            method: "POST",
            url: endpoint.firestore.appending(encoded: "/v1/\(database)/documents:runQuery"),
            headers: headers,
            body: query.requestBody
        )
    }
}
