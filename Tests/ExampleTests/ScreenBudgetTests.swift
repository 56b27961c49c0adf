// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import LocalFirebase
import SessionLog
import Testing
import TinyFeed

/// The budget of an app's screen, as a test.
@Suite(.timeLimit(.minutes(5))) struct ScreenBudgetTests {
    @Test func `the feed screen costs at most 6 reads and 400 KB`() async throws {
        let feed = try TinyFeed()
        try await Emulator(feed.configuration).run { addresses in
            let meter = UsageMeter(console: addresses.console.description)
            let usage = try await meter.usage { try await Self.showFeedScreen(addresses) }
            #expect(usage.billed.documentReads <= 6)
            #expect(usage.bytes.sent <= 400_000)
            #expect(usage.requests == 4)
        }
    }

    /// The first page of the feed, and the thumbnail of each of its posts.
    private static func showFeedScreen(_ addresses: EmulatorAddresses) async throws {
        let endpoint = FeedEndpoint(
            firestore: try #require(URL(string: "http://\(addresses.firestore)")),
            storage: try #require(URL(string: "http://\(addresses.storage)")),
            project: TinyFeed.address.project,
            bucket: TinyFeed.address.bucket
        )
        let transport = URLSessionTransport()
        let repository = FeedRepository(endpoint: endpoint, transport: transport)
        let pipeline = try ImagePipeline(storage: endpoint.storage, transport: transport)
        for post in try await repository.page(sort: .popular, number: 0, size: 6).posts {
            _ = try await pipeline.image(for: post.reference(to: post.images[0], in: endpoint.bucket))
        }
    }
}
