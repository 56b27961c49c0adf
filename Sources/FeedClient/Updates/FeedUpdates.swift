// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Loads a screen in the order in which it can be shown: first where everything is, then each image as it comes.
///
/// The posts' documents carry their images' sizes, so that nothing has to wait for pixels, and no image for another.
public struct FeedUpdates<Source: FeedSource>: Sendable {
    /// The posts.
    public typealias Item = Source.Item

    private let source: Source
    private let pipeline: ImagePipeline
    private let appearance: FeedAppearance
    private let recorder: ViewRecorder?

    /// Creates the updates of screens that look alike.
    ///
    /// The recorder learns which sections are shown; report to it yourself of the posts that are opened.
    public init(
        source: Source,
        pipeline: ImagePipeline,
        appearance: FeedAppearance,
        recorder: ViewRecorder? = nil
    ) {
        self.source = source
        self.pipeline = pipeline
        self.appearance = appearance
        self.recorder = recorder
    }

    /// Loads the sections' pages at the same time, lays them out, and loads the thumbnails from the top.
    ///
    /// The stream throws ``FeedError`` when a page does not come; an image that fails is an update. Letting go of the
    /// stream abandons what has not come.
    public func updates(for sections: [FeedSection]) -> AsyncThrowingStream<FeedUpdate<Item>, any Error> {
        recorder?.recordShowing(sections)
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: FeedUpdate<Item>.self,
            throwing: (any Error).self
        )
        let task = Task {
            do {
                let layout = layOut(sections, from: try await pages(of: sections))
                continuation.yield(.laidOut(layout))
                await loadThumbnails(of: layout.cells) { continuation.yield($0) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func pages(of sections: [FeedSection]) async throws -> [FeedPage<Item>] {
        try await withThrowingTaskGroup(of: (Int, FeedPage<Item>).self) { group in
            for (index, section) in sections.enumerated() {
                group.addTask { (index, try await source.page(of: section)) }
            }
            var pages: [Int: FeedPage<Item>] = [:]
            for try await (index, page) in group { pages[index] = page }
            return sections.indices.compactMap { pages[$0] }
        }
    }

    private func loadThumbnails(of cells: [FeedCell<Item>], _ report: (FeedUpdate<Item>) -> Void) async {
        let shown = cells.filter { !$0.post.images.isEmpty }
        let references = shown.flatMap {
            $0.post.references(
                to: .thumbnail,
                in: source.bucket,
                thumbnails: appearance.thumbnails
            )
        }
        for await delivery in await pipeline.images(for: references) {
            let cell = shown[delivery.index]
            switch delivery.outcome {
            case .success(let image): report(.image(cell.id, image.data, image.origin))
            case .failure(let error): report(.failed(cell.id, error))
            }
        }
    }

    /// Where everything is, from the posts alone.
    func layOut(_ sections: [FeedSection], from pages: [FeedPage<Item>]) -> FeedLayout<Item> {
        var top: CGFloat = 0
        var laidOut: [FeedLayout<Item>.Section] = []
        for (index, (section, page)) in zip(sections, pages).enumerated() {
            let width = appearance.layout.width
            let heading = CGRect(x: 0, y: top, width: width, height: appearance.headingHeight)
            top = heading.maxY
            let cells = cells(of: page.posts, section: index, below: top)
            top = cells.map(\.frame.maxY).max().map { $0 + appearance.layout.spacing } ?? top
            laidOut.append(
                FeedLayout<Item>.Section(
                    section: section,
                    headingFrame: heading,
                    cells: cells,
                    skipped: page.skipped,
                    next: section.next(after: page)
                )
            )
        }
        return FeedLayout(
            sections: laidOut,
            height: max(laidOut.last?.headingFrame.maxY ?? 0, laidOut.flatMap(\.cells).map(\.frame.maxY).max() ?? 0)
        )
    }

    private func cells(of posts: [Item], section: Int, below top: CGFloat) -> [FeedCell<Item>] {
        let width = appearance.layout.columnWidth
        let imageHeights = posts.map { post in
            post.images.first.map {
                appearance.aspect.height(width: width, pixelWidth: $0.pixelWidth, pixelHeight: $0.pixelHeight)
            } ?? 0
        }
        let frames = appearance.layout.frames(heights: imageHeights.map { $0 + appearance.captionHeight }, below: top)
        return posts.indices.map { index in
            let frame = frames[index]
            return FeedCell(
                id: FeedCellID(section: section, post: posts[index].id),
                post: posts[index],
                frame: frame,
                imageFrame: CGRect(x: frame.minX, y: frame.minY, width: width, height: imageHeights[index])
            )
        }
    }
}
