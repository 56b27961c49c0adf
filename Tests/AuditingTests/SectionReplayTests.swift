// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import FeedClient
import Foundation
import LocalFirebase
import Metering
import SessionLog
import TestSupport
import Testing
import TinyFeed

@Suite(.timeLimit(.minutes(5))) struct SectionReplayTests {
    /// The downloads of a screen of two sections, and the next page of the first.
    private static func look(
        _ endpoint: FeedEndpoint,
        _ transport: any HTTPTransport,
        _ recorder: ViewRecorder
    ) async throws {
        let updates = FeedUpdates(
            source: FeedRepository(endpoint: endpoint, transport: transport),
            pipeline: try ImagePipeline(storage: endpoint.storage, transport: transport),
            appearance: .init(layout: WaterfallLayout(width: 390)),
            recorder: recorder
        )
        let mine = FeedFilter(field: "userID", equals: .string("u1"))
        let sections = [
            FeedSection(name: "filtered", sort: .latest, filter: mine, size: 1),
            FeedSection(name: "recommended", sort: .popular, size: 2),
        ]
        var next: FeedSection?
        for try await case .laidOut(let layout) in updates.updates(for: sections) { next = layout.sections[0].next }
        for try await _ in updates.updates(for: [try #require(next)]) {}
    }

    @Test func `a recorded screen of two sections replays to the bytes it cost`() async throws {
        let feed = try TinyFeed()
        let path = feed.directory.file("session.log")
        try await Emulator(feed.configuration).run { addresses in
            let console = ConsoleClient(address: addresses.console)
            let endpoint = try await console.endpoint(of: TinyFeed.address)
            let recorder = try ViewRecorder(path: path, client: "u1", endpoint: endpoint, pageSize: 2)
            let transport = CountingTransport(URLSessionTransport())
            try await Self.look(endpoint, transport, recorder)

            let replay = FeedReplay(log: try SessionLog.load(path), console: console)
            let strategy = try #require(Strategy.presets.first { $0.name == "thumbnails+memory" })
            let outcome = try #require(try await replay.outcomes(of: [strategy]).first)
            #expect(outcome.usage.sent.body == Int64(transport.counts.responseBodyBytes))
            #expect(outcome.usage.requests == Int64(transport.counts.requests))
            // One post and the next of u1, two of all.
            #expect(outcome.usage.billed.documentReads == 4)
        }
    }
}
