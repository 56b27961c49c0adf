// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A user as written in feed.json.
struct UserRecord: Decodable {
    let id: String
    let name: String

    private enum CodingKeys: String, CodingKey {
        case id, name
    }

    init(from decoder: any Decoder) throws {
        let object = try decoder.object(CodingKeys.self)
        id = try object.value(.id, "a string")
        name = try object.value(.name, "a string")
    }
}
