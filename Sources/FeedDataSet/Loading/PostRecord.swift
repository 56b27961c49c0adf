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
        id = try object.value(.id, "a string")
        owner = try object.value(.owner, "a string")
        title = try object.value(.title, "a string")
        likes = try object.value(.likes, "an integer")
        createdAt = try object.value(.createdAt, "a string")
        images = try object.value(.images, "an integer")
    }
}
