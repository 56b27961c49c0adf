// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

extension RepeatedDownloads.Tally.Summary {
    /// The answer to `GET /console/waste`; docs/console.md has its members.
    var json: JSONText {
        .object([
            ("downloads", .integer(total.downloads)),
            ("bytes", .integer(total.bytes)),
            (
                "again",
                .object([("downloads", .integer(total.againDownloads)), ("bytes", .integer(total.againBytes))])
            ),
            ("objects", .array(pairs.map(Self.json))),
            (
                "users",
                .array(
                    downloaders.map { downloader, againBytes in
                        .object(compacting: downloader.members + [("againBytes", .integer(againBytes))])
                    }
                )
            ),
            ("isTruncated", .boolean(isTruncated)),
        ])
    }

    private static func json(_ pair: RepeatedDownloads.Pair, _ count: RepeatedDownloads.Count) -> JSONText {
        .object(
            compacting: pair.downloader.members + [
                ("bucket", .string(pair.object.bucket)),
                ("object", .string(pair.object.name)),
                ("downloads", .integer(count.downloads)),
                ("bytes", .integer(count.bytes)),
                ("againBytes", .integer(count.againBytes)),
                ("lastAt", .integer(count.lastAt)),
            ]
        )
    }
}

extension RepeatedDownloads.Downloader {
    fileprivate var members: [(String, JSONText?)] {
        switch self {
        case .user(let name): [("user", .string(name))]
        case .client(let name): [("client", .string(name ?? ""))]
        }
    }
}
