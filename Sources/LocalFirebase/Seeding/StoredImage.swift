// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedDataSet
import FirestoreModel
import ObjectStore

/// An image that has become an object.
struct StoredImage: Sendable {
    let metadata: ObjectMetadata
    let pixelWidth: Int
    let pixelHeight: Int

    /// The image's description in the post's document, so that a client can lay it out and load it without asking.
    var documentValue: Value {
        .map([
            "width": .integer(Int64(pixelWidth)),
            "height": .integer(Int64(pixelHeight)),
            "bytes": .integer(metadata.byteCount),
            "generation": .integer(metadata.generation),
            "token": .string(metadata.attributes.downloadTokens.first ?? ""),
        ])
    }
}

extension FeedPost {
    /// The post's document.
    func fields(images: [StoredImage]) -> [String: Value] {
        [
            "userID": .string(owner),
            "feedID": .string(id),
            "title": .string(title),
            "likes": .integer(Int64(likes)),
            "createdAt": .timestamp(
                Timestamp(seconds: createdAt.secondsSinceEpoch, nanoseconds: createdAt.nanoseconds)
            ),
            "imageCount": .integer(Int64(imageCount)),
            "images": .array(images.map(\.documentValue)),
        ]
    }
}
