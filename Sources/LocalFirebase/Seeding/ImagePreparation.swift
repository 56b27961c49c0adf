// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedDataSet
import Wire

/// Renders or reads the images of a data set ahead of their storing, side by side, and hands them out in order.
///
///     post 0: image 0, image 1 … post 1: image 0 …      ──▶ at most `imagesAheadMax` under way or waiting ──▶ in order
struct ImagePreparation {
    /// The images that are being prepared or wait to be stored; what bounds the memory that seeding takes.
    static let imagesAheadMax = 4

    let dataSet: FeedDataSet

    /// Calls `store` with one image after the other, in the order of the posts and of the images in each.
    func deliver(to store: (_ post: FeedPost, _ index: Int, _ image: SeedImage) async throws -> Void) async throws {
        var waiting = dataSet.posts.lazy.flatMap { post in (0..<post.imageCount).lazy.map { (post, $0) } }
            .enumerated().makeIterator()
        try await withThrowingTaskGroup(of: (place: Int, image: SeedImage).self) { group in
            var window = Window()
            while true {
                while window.count < Self.imagesAheadMax, let (place, (post, index)) = waiting.next() {
                    window.add(post, at: index)
                    group.addTask { [dataSet] in
                        (place, try await blockingWork { try dataSet.image(of: post, at: index) })
                    }
                }
                guard let prepared = try await group.next() else { return }
                try Task.checkCancellation()
                window.fill(prepared.place, with: prepared.image)
                while let (post, index, image) = window.takeFirst() { try await store(post, index, image) }
            }
        }
    }
}

/// Consecutive images, some of which have come.
private struct Window {
    private var slots: [(post: FeedPost, index: Int, image: SeedImage?)] = []
    private var firstPlace = 0

    var count: Int { slots.count }

    mutating func add(_ post: FeedPost, at index: Int) { slots.append((post, index, nil)) }

    mutating func fill(_ place: Int, with image: SeedImage) { slots[place - firstPlace].image = image }

    /// Takes the first image, if it has come.
    mutating func takeFirst() -> (post: FeedPost, index: Int, image: SeedImage)? {
        guard let first = slots.first, let image = first.image else { return nil }
        slots.removeFirst()
        firstPlace += 1
        return (first.post, first.index, image)
    }
}
