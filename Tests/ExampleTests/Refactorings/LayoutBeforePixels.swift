// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation

// The code of the article "Layout before pixels".

/// A screen of two sections that is laid out before its first image.
struct TwoSectionScreen {
    let repository: FeedRepository
    let pipeline: ImagePipeline

    func load(width: CGFloat, _ screen: any Screen) async throws {
        let updates = FeedUpdates(
            repository: repository,
            pipeline: pipeline,
            appearance: .init(layout: WaterfallLayout(width: width), captionHeight: 44, headingHeight: 32)
        )
        let sections = [
            FeedSection(name: "filtered", sort: .latest, filter: FeedFilter(field: "userID", equals: .string("u1"))),
            FeedSection(name: "recommended", sort: .popular),
        ]
        for try await update in updates.updates(for: sections) {
            switch update {
            case .laidOut(let layout): await screen.place(layout.cells)
            case .image(let cell, let data): await screen.show(data, in: cell)
            case .failed(let cell, _): await screen.showPlaceholder(in: cell)
            }
        }
    }
}

/// What shows a screen.
protocol Screen {
    func place(_ cells: [FeedCell]) async
    func show(_ data: Data, in cell: FeedCell.ID) async
    func showPlaceholder(in cell: FeedCell.ID) async
}
