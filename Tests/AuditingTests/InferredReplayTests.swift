// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import FeedClient
import LogImport
import Metering
import SessionAudit
import SessionLog
import Testing
import TinyFeed

/// Views that were inferred from requests, replayed over HTTP.
@Suite(.timeLimit(.minutes(5))) struct InferredReplayTests {
    private static let posts = ["albums/a", "albums/b", "albums/c"]

    private static func shown(_ posts: [String], reads: Int64?) -> SessionView.Action {
        let list = reads.map {
            SessionView.List(name: "albums", page: 0, byteCount: 500 * $0, documentReads: $0, key: "0", depth: 2)
        }
        return .showPosts(SessionView.ShownPosts(posts, list: list))
    }

    /// Two users see lists and posts without one, of which `albums/gone` has no image, open posts, and start the app again.
    private static let log: SessionLog = {
        let steps: [(String, SessionView.Action)] = [
            ("a", shown(posts, reads: 3)), ("b", shown([posts[1], "albums/gone"], reads: 9)),
            ("a", .openPost(owner: "albums", post: "albums/c")), ("a", shown(posts, reads: 3)), ("a", .relaunch),
            ("a", shown([posts[2]], reads: nil)), ("b", .openPost(owner: "albums", post: "albums/gone")),
            ("b", .openPost(owner: "albums", post: "albums/b")), ("a", shown([], reads: 1)),
        ]
        let views = steps.enumerated().map { index, step in
            SessionView(atMilliseconds: Int64(index) * 1_800_000, client: step.0, action: step.1)
        }
        let images = posts.enumerated().flatMap { number, post in
            (0...number).map { index in
                SessionImage(
                    object: "up loads/\(number)é/\(index).jpg",
                    byteCount: Int64(40_000 + 7_000 * index + number),
                    place: SessionImage.Place(bucket: TinyFeed.address.bucket, post: post, index: index),
                    pixels: SessionObject.Pixels(width: 400, height: 300)
                )
            }
        }
        var header = SessionHeader(createdAt: LogTime(microseconds: TinyFeed.now))
        header.imported = SessionHeader.Imported(downloadCount: 0, byteCount: 0, assumptions: [])
        return SessionLog(header: header, views: views, images: images, requestCount: 0)
    }()

    private static func outcomes(_ mode: SessionAuditor.Mode, of strategies: [String]) async throws -> [StrategyOutcome]
    {
        let auditor = try SessionAuditor(SessionSource(log), path: "session.log", mode: mode)
        return try await auditor.result(of: strategies.map { try Strategy($0) }).outcomes
    }

    private static let strategies = [
        "all-images", "all-images+memory", "thumbnails+memory+disk", "thumbnails+url-lookups",
        "all-images+revalidate+disk:1h",
        "thumbnails:100x100+memory", "thumbnails+prefetch:60kB+memory", "thumbnails+page:2+disk:90kB:sieve",
        "progressive:10kB+memory", "all-images+no-joining+concurrency:1",
    ]

    @Test func `every strategy makes the same requests live and simulated`() async throws {
        let verified = try await Self.outcomes(.verify, of: Self.strategies)
        let simulated = try await Self.outcomes(.simulate, of: Self.strategies.filter { !$0.contains("url-lookups") })
        for outcome in simulated {
            let same = try #require(verified.first { $0.strategy == outcome.strategy })
            #expect(same.usage.sent.body == outcome.usage.sent.body, "\(outcome.strategy.name)")
            #expect(same.billed == outcome.billed && same.counts == outcome.counts)
        }
    }

    @Test func `lists are taken from the log, images come over HTTP`() async throws {
        let outcome = try #require(try await Self.outcomes(.live, of: ["thumbnails"]).first)
        #expect(outcome.usage.billed.documentReads == 3 + 9 + 3 + 1)
        // Three and one in the lists, the two others of c, three again, one, the other of b.
        #expect(outcome.usage.billed.classB == 3 + 1 + 2 + 3 + 1 + 1)
        #expect(outcome.usage.requests == outcome.usage.billed.classB + 4)
        let images: Int64 = 2 * (40_000 + 40_001 + 40_002) + 40_001 + 47_002 + 54_002 + 40_002 + 47_001
        #expect(outcome.usage.sent.body == images + 500 * 16)
    }

    @Test func `objects that are too large are not made`() async throws {
        var image = try #require(Self.log.images.first)
        image.byteCount = 5_000_000_000
        let log = SessionLog(header: Self.log.header, views: Self.log.views, images: [image], requestCount: 0)
        let auditor = try SessionAuditor(SessionSource(log), path: "session.log", mode: .live)
        let error = await #expect(throws: AuditError.self) { try await auditor.result(of: [Strategy("thumbnails")]) }
        #expect(error?.exitCode == 65)
        #expect(error?.description.contains("5.00 GB") == true && error?.description.contains("--data") == true)
    }

    @Test func `without pixels no smaller copies are made up`() async throws {
        let images = Self.log.images.map { SessionImage(object: $0.object, byteCount: $0.byteCount, place: $0.place) }
        let log = SessionLog(header: Self.log.header, views: Self.log.views, images: images, requestCount: 0)
        for mode in [SessionAuditor.Mode.live, .simulate, .verify] {
            let auditor = try SessionAuditor(SessionSource(log), path: "session.log", mode: mode)
            let error = await #expect(throws: AuditError.self) {
                try await auditor.result(of: [Strategy("thumbnails:100x100")])
            }
            #expect(error?.exitCode == 64, "\(mode)")
        }
    }
}
