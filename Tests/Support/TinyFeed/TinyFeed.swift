// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import LocalFirebase
package import SessionLog
package import TestSupport

/// A feed of three posts with six small images, and emulators that serve it.
///
/// |post|owner|likes|day|images|
/// |---|---|---|---|---|
/// |p1|u1|30|1|2|
/// |p2|u2|20|3|1|
/// |p3|u1|10|2|3|
package struct TinyFeed: Sendable {
    /// Where the feed lives.
    package static let address = SessionHeader.Feed(
        project: "demo-tiny",
        database: "(default)",
        collection: "posts",
        bucket: "demo-tiny.appspot.com"
    )

    /// 2026-11-20T09:00:00Z, at which the emulators' clocks stand.
    package static let now: Int64 = 1_795_165_200_000_000

    /// A directory that the feed's files share with what a test adds.
    package let directory: TemporaryDirectory

    /// Writes `feed.json`, its first post with this title.
    package init(title: String = "One", bucket: String = address.bucket) throws {
        directory = TemporaryDirectory()
        try directory.write(Self.json(title: title, bucket: bucket).utf8, to: "feed.json")
    }

    /// The path of `feed.json`.
    package var path: String { directory.file("feed.json") }

    /// An emulator on free ports that is seeded with the feed and behaves the same in every run.
    package var configuration: EmulatorConfiguration {
        var configuration = EmulatorConfiguration(now: { Self.now }, makeToken: CountedTokens().make)
        configuration.ports = .free
        configuration.seedPath = path
        configuration.temporaryDirectory = directory.path
        return configuration
    }

    private static func json(title: String, bucket: String) -> String {
        """
        {
          "schema": "firemeter.feed/1", "project": "demo-tiny", "database": "(default)", "bucket": "\(bucket)",
          "collection": "posts", "images": {"render": {"seed": 7, "medianBytes": 60000, "sigma": 0}},
          "users": [{"id": "u1", "name": "Ada"}, {"id": "u2", "name": "Ben"}],
          "posts": [
            {"id": "p1", "owner": "u1", "title": "\(title)", "likes": 30, "createdAt": "2026-11-01T08:00:00Z", "images": 2},
            {"id": "p2", "owner": "u2", "title": "Two", "likes": 20, "createdAt": "2026-11-03T08:00:00Z", "images": 1},
            {"id": "p3", "owner": "u1", "title": "Three", "likes": 10, "createdAt": "2026-11-02T08:00:00Z", "images": 3}
          ]
        }
        """
    }
}
