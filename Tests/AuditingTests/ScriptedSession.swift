// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import FeedDataSet
import Metering
import TinyFeed

@testable import SessionLog

/// A session of nine views of the tiny feed, two posts to a page, with what it must cost in each strategy.
///
/// |view|client, step|reads|images in the list|of them image 0|
/// |---|---|---|---|---|
/// |1|a opens popular|2|p1: 2, p2: 1|2|
/// |2|a scrolls to page 1|1|p3: 3|1|
/// |3|a opens p1|0|none, or p1/1 for thumbnails|0|
/// |4|a switches to latest|2|p2: 1, p3: 3|2|
/// |5|a quits and comes back|0|none|0|
/// |6|a opens popular at page 1, by an offset|2 skipped + 1|p3: 3|1|
/// |7|b opens latest|2|p2: 1, p3: 3|2|
/// |8|b scrolls to page 1|1|p1: 2|1|
/// |9|b scrolls to page 2, which is empty|1|none|0|
enum ScriptedSession {
    static let steps: [(client: String, action: SessionView.Action)] = [
        ("a", .openFeed(.popular, page: 0)),
        ("a", .scroll(.popular, page: 1)),
        ("a", .openPost(owner: "u1", post: "p1")),
        ("a", .switchTab(.latest)),
        ("a", .relaunch),
        ("a", .openFeed(.popular, page: 1)),
        ("b", .openFeed(.latest, page: 0)),
        ("b", .scroll(.latest, page: 1)),
        ("b", .scroll(.latest, page: 2)),
    ]

    static let queryCount: Int64 = 7
    static let documentReads: Int64 = 12

    static func log(
        _ steps: [(client: String, action: SessionView.Action)] = steps,
        feed: SessionHeader.Feed? = TinyFeed.address
    ) -> SessionLog {
        let views = steps.map { SessionView(atMilliseconds: 0, client: $0.client, action: $0.action) }
        let header = SessionHeader(createdAt: LogTime(microseconds: TinyFeed.now), feed: feed, pageSize: 2)
        return SessionLog(header: header, views: views, requestCount: 0, skippedLineCount: 0)
    }

    /// The images that must come from the network, as `feed/n`, and how many must come from a cache.
    struct Expectation: Sendable {
        let strategy: String
        let loads: [String]
        let hitCount: Int64
        let hits: [String]
    }

    static let expectations = [
        Expectation(
            strategy: "all-images",
            loads: p1 + p2 + p3 + p2 + p3 + p3 + p2 + p3 + p1,
            hitCount: 0,
            hits: []
        ),
        Expectation(
            strategy: "all-images+memory",
            loads: p1 + p2 + p3 + p3 + p2 + p3 + p1,
            hitCount: 4,
            hits: p2 + p3
        ),
        Expectation(
            strategy: "thumbnails",
            loads: ["p1/0", "p2/0", "p3/0", "p1/1", "p2/0", "p3/0", "p3/0", "p2/0", "p3/0", "p1/0"],
            hitCount: 0,
            hits: []
        ),
        Expectation(
            strategy: "thumbnails+memory",
            loads: ["p1/0", "p2/0", "p3/0", "p1/1", "p3/0", "p2/0", "p3/0", "p1/0"],
            hitCount: 2,
            hits: ["p2/0", "p3/0"]
        ),
        Expectation(
            strategy: "thumbnails+memory+disk",
            loads: ["p1/0", "p2/0", "p3/0", "p1/1", "p2/0", "p3/0", "p1/0"],
            hitCount: 3,
            hits: ["p2/0", "p3/0", "p3/0"]
        ),
    ]

    private static let p1 = ["p1/0", "p1/1"]
    private static let p2 = ["p2/0"]
    private static let p3 = ["p3/0", "p3/1", "p3/2"]

    /// The sizes of the feed's images, as `feed/n`, from the data set itself.
    static func imageByteCounts(of feed: TinyFeed) throws -> [String: Int64] {
        let dataSet = try FeedDataSet.load(feed.path)
        var counts: [String: Int64] = [:]
        for post in dataSet.posts {
            for index in 0..<post.imageCount {
                counts["\(post.id)/\(index)"] = Int64(try dataSet.image(of: post, at: index).bytes.count)
            }
        }
        return counts
    }
}

extension FeedSimulation {
    /// A simulation of a log that is held.
    init(
        log: SessionLog,
        other: [UsageAttribution.Service: UsageTotals] = [:],
        answeredBy server: (any FirebaseAnswering)?,
        display: DisplaySizes = .default
    ) throws {
        try self.init(of: SessionGroups(log), other: other, answeredBy: server, display: display)
    }
}
