// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
package import SessionLog

/// The pages of a feed that users walk, each of which FeedClient has loaded once over HTTP.
///
/// The app is the origin's first version, which loads every image and keeps none: all users who show a page make the same requests.
package struct FeedTour: Sendable {
    /// A page of a list.
    struct Page: Sendable {
        /// The posts, with their owners.
        let posts: [(owner: String, id: String)]
        /// The place of its query among all of the tour; `nil` where it took none.
        let query: Int?
        /// The objects that its images are.
        let objects: [String]
    }

    private var pages: [SessionView.Listing: [Page]] = [:]

    /// Loads all pages that a walk may come to.
    ///
    /// - Parameters:
    ///   - header: The header of the session, which names the feed.
    ///   - console: That of the emulator, which records the tour's requests.
    /// - Throws: ``AuditError``, when the feed is not what the header says or does not answer.
    package init(of header: SessionHeader, console: ConsoleClient) async throws {
        guard let feed = header.feed else { throw AuditError.noFeed }
        let workspace = ReplayWorkspace(
            strategy: Strategy.baseline,
            endpoint: try await console.endpoint(of: feed),
            pageSize: header.pageSize ?? ReplayPaging.pageSizeDefault
        )
        let client = try workspace.makeClient("tour", startingAt: header.createdAt.microseconds)
        var queryCount = 0
        for listing in [SessionView.Listing.popular, .latest] {
            for number in 0...FeedWalk.scrollCounts.upperBound where pages[listing]?.last?.posts.isEmpty != true {
                let screen = try await Self.screen(of: client, listing, page: number)
                let hasQuery = client.tape.takeTape().contains { $0.line.hasPrefix("POST") }
                let page = Page(screen, query: hasQuery ? queryCount : nil, bucket: feed.bucket)
                pages[listing, default: []].append(page)
                queryCount += hasQuery ? 1 : 0
            }
        }
    }

    /// The pages of a list, to the last that a walk may come to, or to the first without posts.
    func pages(of listing: SessionView.Listing) -> [Page] { pages[listing] ?? [] }

    private static func screen(
        of client: ReplayClient,
        _ listing: SessionView.Listing,
        page: Int
    ) async throws -> FeedScreen {
        do {
            let action = page == 0 ? SessionView.Action.openFeed(listing, page: 0) : .scroll(listing, page: page)
            return try await client.session.perform(action)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw AuditError.tourFailed(error)
        }
    }
}

extension FeedTour.Page {
    fileprivate init(_ screen: FeedScreen, query: Int?, bucket: String) {
        posts = screen.posts.map { ($0.ownerID, $0.id) }
        self.query = query
        objects = screen.posts.flatMap { $0.references(to: .full, in: bucket) }.compactMap { reference in
            if case .object(_, let name) = reference.location { name } else { nil }
        }
    }
}
