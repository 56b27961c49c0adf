// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Refactorings

/// Reuses cells for posts of one to five thumbnails: one class that changes its layout each time, and five that never do.
///
/// There are no views of a platform here: the time is that of computing frames and setting them, and of making thumbnails
/// and letting them go.
struct CellTrial {
    private static let bucket = "feed"
    private static let size = CGSize(width: 390, height: 300)
    /// The cells on a screen; those of a kind, too, for all of them may be of one.
    private static let visibleCount = 8
    private static let reuseCount = 200_000

    /// Every cell is reused for a post with another number of images than the one before: 8 and 5 have no common divisor.
    private let infos = (0..<10).compactMap { index in
        let images = (0...index % 5).map { FeedImage(index: $0, pixelWidth: 1_080, pixelHeight: 1_350) }
        let post = FeedPost(
            id: "p\(index)",
            ownerID: "u",
            feedID: "f\(index)",
            title: "",
            likes: 0,
            createdAt: .distantPast,
            images: images
        )
        return PostInfo(post, in: Self.bucket)
    }

    /// The row of a round; the two in turns, so that neither is always the first.
    func row(oneComesFirst: Bool) throws -> RefactoringTrial.Row {
        let costs = try oneComesFirst ? [oneCell(), fiveCells()] : [fiveCells(), oneCell()].reversed()
        return RefactoringTrial.Row(
            name: "5: a cell is reused \(Self.reuseCount) times",
            before: costs[0],
            after: costs[1]
        )
    }

    private func oneCell() throws -> Cost {
        let cells = (0..<Self.visibleCount).map { _ in ChangingCell(size: Self.size) }
        return try cost { number, _ in cells[number % Self.visibleCount] }
    }

    private func fiveCells() throws -> Cost {
        let factory = makeFactory(size: Self.size)
        let pools = ThumbnailCount.allCases.map { count in
            (0..<Self.visibleCount).map { _ in factory.makeCell(for: count) }
        }
        return try cost { number, info in pools[info.thumbnailCount.rawValue - 1][number % Self.visibleCount] }
    }

    private func cost(of reuse: (Int, PostInfo) -> any Cell & InfoConfiguring<PostInfo>) throws -> Cost {
        var shownCount = 0
        let time = ContinuousClock().measure {
            for number in 0..<Self.reuseCount {
                let info = infos[number % infos.count]
                let cell = reuse(number, info)
                cell.configure(with: info)
                shownCount += cell.thumbnails.count
            }
        }
        guard shownCount == Self.reuseCount * 3 else { throw RefactoringTrial.Incomplete(what: "the cells") }
        return Cost(seconds: time / .seconds(1), bodyBytes: 0)
    }
}
