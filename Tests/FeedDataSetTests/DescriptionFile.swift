// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A small feed.json whose parts a test can replace.
struct DescriptionFile {
    /// The JSON of each key.
    private var parts = [
        "schema": #""firemeter.feed/1""#,
        "project": #""demo-feed""#,
        "database": #""(default)""#,
        "bucket": #""demo-feed.appspot.com""#,
        "collection": #""posts""#,
        "images": #"{"render": {"seed": 42}}"#,
        "users": #"[{"id": "u1", "name": "Ada"}, {"id": "u2", "name": "Ben"}]"#,
        "posts": "[\(post()), \(post(id: #""p2""#, owner: #""u2""#))]",
        "later": "[1, 2]",
    ]

    /// The usual file with one key's JSON replaced, or removed for `nil`.
    init(_ key: String, _ json: String?) { parts[key] = json }

    init() {}

    /// A post's JSON; every argument is JSON itself.
    static func post(
        id: String = #""p1""#,
        owner: String = #""u1""#,
        likes: String = "7",
        createdAt: String = #""2026-11-20T08:30:00Z""#,
        images: String = "2"
    ) -> String {
        """
        {"id": \(id), "owner": \(owner), "title": "A post", "likes": \(likes), "createdAt": \(createdAt), \
        "images": \(images)}
        """
    }

    var json: String {
        "{" + parts.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
    }
}
