// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedDataSet
import FirestoreModel
import Foundation
import NIOConcurrencyHelpers
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

/// Download tokens as production makes them.
package enum RandomToken {
    /// A random UUID in lower case.
    @Sendable package static func make() -> String { UUID().uuidString.lowercased() }
}

/// Download tokens that are the same in every run: a counter in the form of a UUID.
package final class CountedTokens: Sendable {
    private static let digitCount = 12

    private let count = NIOLockedValueBox(0)

    /// Starts to count.
    package init() {}

    /// The next token.
    @Sendable package func make() -> String {
        let number = count.withLockedValue { count in
            count += 1
            return String(count)
        }
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: Self.digitCount - number.count) + number
    }
}
