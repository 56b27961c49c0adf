// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging

extension FeedRecord {
    /// Checks every rule that types cannot; an image folder is relative to `folder`.
    func validated(folder: String) throws(FeedDataSetError) -> FeedDataSet {
        for (path, id) in [
            ("project", project), ("database", database), ("bucket", bucket), ("collection", collection),
        ] {
            try Self.checkIdentifier(id, path: path)
        }
        let users = try validatedUsers()
        let posts = try validatedPosts(owners: Set(users.map(\.id)))
        return FeedDataSet(
            project: project,
            database: database,
            bucket: bucket,
            collection: collection,
            users: users,
            posts: posts,
            images: try images.validated(folder: folder, posts: posts)
        )
    }

    private func validatedUsers() throws(FeedDataSetError) -> [FeedUser] {
        try Self.checkCount(users.count, path: "users", limit: FeedLimits.userCountMax)
        var firstIndices: [String: Int] = [:]
        for (index, user) in users.enumerated() {
            try Self.checkIdentifier(user.id, path: "users[\(index)].id")
            try Self.checkText(user.name, path: "users[\(index)].name")
            if let first = firstIndices.updateValue(index, forKey: user.id) {
                throw .repeated("users[\(index)].id", id: user.id, first: "users[\(first)]")
            }
        }
        return users.map { FeedUser(id: $0.id, name: $0.name) }
    }

    private func validatedPosts(owners: Set<String>) throws(FeedDataSetError) -> [FeedPost] {
        try Self.checkCount(posts.count, path: "posts", limit: FeedLimits.postCountMax)
        var firstIndices: [String: Int] = [:]
        var validated: [FeedPost] = []
        for (index, post) in posts.enumerated() {
            let path = "posts[\(index)]"
            validated.append(try post.validated(path))
            guard owners.contains(post.owner) else { throw .unknownOwner("\(path).owner", id: post.owner) }
            if let first = firstIndices.updateValue(index, forKey: post.id) {
                throw .repeated("\(path).id", id: post.id, first: "posts[\(first)]")
            }
        }
        return validated
    }

    private static func checkCount(_ count: Int, path: String, limit: Int) throws(FeedDataSetError) {
        guard count > 0 else { throw .illValued(path, expected: "at least one entry") }
        guard count <= limit else { throw .tooMany(path, count: count, limit: limit) }
    }

    static func checkIdentifier(_ id: String, path: String) throws(FeedDataSetError) {
        guard FeedIdentifier.isValid(id) else { throw .illValued(path, expected: FeedIdentifier.rule) }
    }

    static func checkText(_ text: String, path: String) throws(FeedDataSetError) {
        guard text.utf8.count <= FeedLimits.textByteCountMax else {
            throw .illValued(path, expected: "at most \(FeedLimits.textByteCountMax) bytes")
        }
    }
}
