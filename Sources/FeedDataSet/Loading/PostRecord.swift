// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A post as written in feed.json.
struct PostRecord: Decodable {
    let id: String
    let owner: String
    let title: String
    let likes: Int
    let createdAt: String
    let images: Int

    private enum CodingKeys: String, CodingKey {
        case id, owner, title, likes, createdAt, images
    }

    init(from decoder: any Decoder) throws {
        let object = try decoder.object(CodingKeys.self)
        id = try object.value(.id, expected: "a string")
        owner = try object.value(.owner, expected: "a string")
        title = try object.value(.title, expected: "a string")
        likes = try object.value(.likes, expected: "an integer")
        createdAt = try object.value(.createdAt, expected: "a string")
        images = try object.value(.images, expected: "an integer")
    }
}

extension PostRecord {
    /// Checks what a post's values must be by themselves.
    func validated(_ path: String) throws(FeedDataSetError) -> FeedPost {
        try FeedRecord.checkIdentifier(id, path: "\(path).id")
        try FeedRecord.checkText(title, path: "\(path).title")
        try Self.check(likes, in: 0...FeedLimits.likeCountMax, path: "\(path).likes")
        try Self.check(images, in: 1...FeedLimits.imageCountMax, path: "\(path).images")
        guard let time = FeedTime(rfc3339: createdAt) else {
            throw .illValued("\(path).createdAt", expected: "an RFC 3339 time such as 2026-11-20T08:30:00Z")
        }
        return FeedPost(
            owner: owner,
            id: id,
            documentID: id,
            title: title,
            likes: likes,
            createdAt: time,
            imageCount: images
        )
    }

    private static func check(_ number: Int, in range: ClosedRange<Int>, path: String) throws(FeedDataSetError) {
        guard range.contains(number) else {
            throw .illValued(path, expected: "an integer from \(range.lowerBound) to \(range.upperBound)")
        }
    }
}

/// A user as written in feed.json.
struct UserRecord: Decodable {
    let id: String
    let name: String

    private enum CodingKeys: String, CodingKey {
        case id, name
    }

    init(from decoder: any Decoder) throws {
        let object = try decoder.object(CodingKeys.self)
        id = try object.value(.id, expected: "a string")
        name = try object.value(.name, expected: "a string")
    }
}
