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
    private let credentials: CredentialStore?

    /// Creates a repository, which books what it receives in the ledger.
    ///
    /// `credentials` gives the tokens that open private documents.
    public init(
        endpoint: FeedEndpoint,
        transport: any HTTPTransport = URLSessionTransport(),
        ledger: ByteLedger? = nil,
        credentials: (any FirebaseCredentialProvider)? = nil
    ) {
        self.endpoint = endpoint
        self.transport = transport
        self.ledger = ledger
        self.credentials = credentials.map(CredentialStore.init)
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
    ) async throws -> FeedPage<FeedPost> {
        let query = FeedQuery(sort, matching: filter)
        return try await page(of: FeedPost.self, query, number: number, size: size, after: cursor)
    }

    /// Fetches a page of an app's own posts, from the cursor of the page before it or, without one, by an offset.
    ///
    /// Documents that cannot be made posts are skipped, and reported with the page. Throws ``FeedError``, or `CancellationError`
    /// when the task is cancelled.
    public func page<Item: DocumentItem>(
        of type: Item.Type,
        _ query: FeedQuery,
        number: Int = 0,
        size: Int,
        after cursor: FeedCursor? = nil
    ) async throws -> FeedPage<Item> {
        precondition(number >= 0, "a page number must not be negative (is \(number))")
        precondition((1...Self.pageSizeMax).contains(size), "a page has 1 to \(Self.pageSizeMax) posts (not \(size))")
        precondition(cursor == nil || cursor?.query == query, "a cursor continues the query it was made by")
        let page = PageRequest(
            query: query,
            collection: query.collection ?? endpoint.collection,
            number: number,
            size: size,
            cursor: cursor
        )
        let subject = "runQuery on \(page.collection)"
        let body = try await transport.body(
            of: request(for: page),
            subject: subject,
            ledger: ledger,
            openedBy: credentials,
            scheme: .bearer
        )
        return try page.page(of: type, responseBody: body)
    }

    private func request(for page: PageRequest) -> TransportRequest {
        let database = "projects/\(endpoint.project.percentEncoded)/databases/\(endpoint.database.percentEncoded)"
        return TransportRequest(
            method: "POST",
            url: endpoint.firestore.appending(encoded: "/v1/\(database)/documents\(page.encodedParent):runQuery"),
            headers: ["Content-Type": "application/json"],
            body: page.body
        )
    }
}
