// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Testing

struct ImageSetTests {
    private static func post(imageCount: Int) -> FeedPost {
        FeedPost(
            id: "p",
            ownerID: "u",
            feedID: "f",
            title: "",
            likes: 0,
            createdAt: .distantPast,
            images: (0..<imageCount).map { FeedImage(index: $0, pixelWidth: 4, pixelHeight: 3, generation: 7) }
        )
    }

    @Test(
        arguments: [
            (0, ImageSet.thumbnail, []), (0, .rest, []), (0, .full, []),
            (1, .thumbnail, [0]), (1, .rest, []), (1, .full, [0]),
            (3, .thumbnail, [0]), (3, .rest, [1, 2]), (3, .full, [0, 1, 2]),
        ]
    )
    func `a set has these images of a post`(imageCount: Int, set: ImageSet, indices: [Int]) {
        let post = Self.post(imageCount: imageCount)
        #expect(post.images(in: set).map(\.index) == indices)
        let references = post.references(to: set, in: "b")
        #expect(references.map(\.location) == indices.map { .object(bucket: "b", name: "u/f/\($0)") })
        #expect(references.map(\.role) == indices.map { $0 == 0 ? .thumbnail : .full })
        #expect(references.allSatisfy { $0.generation == 7 })
    }
}
