// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

extension RepeatedDownloads.Summary {
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
                    users.map { .object([("user", .string($0.user)), ("againBytes", .integer($0.againBytes))]) }
                )
            ),
            ("isTruncated", .boolean(isTruncated)),
        ])
    }

    private static func json(_ pair: RepeatedDownloads.Pair, _ count: RepeatedDownloads.Count) -> JSONText {
        .object([
            ("user", .string(pair.user)),
            ("bucket", .string(pair.object.bucket)),
            ("object", .string(pair.object.name)),
            ("downloads", .integer(count.downloads)),
            ("bytes", .integer(count.bytes)),
            ("againBytes", .integer(count.againBytes)),
            ("lastAt", .integer(count.lastAt)),
        ])
    }
}
