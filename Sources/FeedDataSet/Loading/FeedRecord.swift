// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A feed.json as written; keys that are not listed are ignored.
struct FeedRecord: Decodable {
    static let schema = "firemeter.feed/1"

    let project: String
    let database: String
    let bucket: String
    let collection: String
    let images: ImagesRecord
    let users: [UserRecord]
    let posts: [PostRecord]

    private enum CodingKeys: String, CodingKey {
        case schema, project, database, bucket, collection, images, users, posts
    }

    init(from decoder: any Decoder) throws {
        let object = try decoder.object(CodingKeys.self)
        // First, so that another schema is not reported as a missing key.
        let schema: String = try object.value(.schema, expected: "\"\(Self.schema)\"")
        guard schema == Self.schema else { throw FeedDataSetError.illValued("schema", expected: "\"\(Self.schema)\"") }
        project = try object.value(.project, expected: "a string")
        database = try object.value(.database, expected: "a string")
        bucket = try object.value(.bucket, expected: "a string")
        collection = try object.value(.collection, expected: "a string")
        images = try object.value(.images, expected: "an object")
        users = try object.value(.users, expected: "an array")
        posts = try object.value(.posts, expected: "an array")
    }

    static func decode(_ data: Data) throws(FeedDataSetError) -> Self {
        do {
            return try JSONDecoder().decode(Self.self, from: data)
        } catch let error as FeedDataSetError {
            throw error
        } catch {
            throw .notJSON(syntaxError(in: data))
        }
    }

    /// `JSONDecoder` does not report where it stopped, `JSONSerialization` does (Foundation on Linux, Swift 6.3).
    private static func syntaxError(in data: Data) -> String {
        do {
            _ = try JSONSerialization.jsonObject(with: data)
            return "it cannot be decoded"
        } catch {
            let description = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
            return description ?? "its syntax is wrong"
        }
    }
}
