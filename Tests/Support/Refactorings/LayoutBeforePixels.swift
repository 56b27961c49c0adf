// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
package import Foundation

// The code of the article "Layout before pixels".

/// A screen of two sections that is shown when all its images have come, for only they determine how high its cells are.
package struct WaitingScreen {
    let repository: FeedRepository
    let pipeline: ImagePipeline

    package init(repository: FeedRepository, pipeline: ImagePipeline) {
        self.repository = repository
        self.pipeline = pipeline
    }

    package func load(filter: FeedFilter, _ show: ([Data]) async -> Void) async throws {
        let filtered = try await repository.page(sort: .latest, number: 0, size: 8, matching: filter)
        let recommended = try await repository.page(sort: .popular, number: 0, size: 8)
        var images: [Data] = []
        for post in filtered.posts + recommended.posts {
            for thumbnail in post.references(to: .thumbnail, in: repository.endpoint.bucket) {
                images.append(try await pipeline.image(for: thumbnail))
            }
        }
        await show(images)
    }
}

/// A screen of two sections that is laid out before its first image.
package struct TwoSectionScreen {
    let repository: FeedRepository
    let pipeline: ImagePipeline

    package init(repository: FeedRepository, pipeline: ImagePipeline) {
        self.repository = repository
        self.pipeline = pipeline
    }

    package func load(filter: FeedFilter, width: CGFloat, _ screen: any Screen) async throws {
        let updates = FeedUpdates(
            source: repository,
            pipeline: pipeline,
            appearance: .init(layout: WaterfallLayout(width: width), captionHeight: 44, headingHeight: 32)
        )
        let sections = [
            FeedSection(name: "filtered", sort: .latest, filter: filter),
            FeedSection(name: "recommended", sort: .popular),
        ]
        for try await update in updates.updates(for: sections) {
            switch update {
            case .laidOut(let layout): await screen.place(layout.cells)
            case .image(let cell, let data, _): await screen.show(data, in: cell)
            case .failed(let cell, _): await screen.showPlaceholder(in: cell)
            }
        }
    }
}

/// The view that shows a screen.
package protocol Screen {
    func place(_ cells: [FeedCell<FeedPost>]) async
    func show(_ data: Data, in cell: FeedCellID) async
    func showPlaceholder(in cell: FeedCellID) async
}
