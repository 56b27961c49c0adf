// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Loads a screen in the order in which it can be shown: first where everything is, then each image as it comes.
///
/// The posts' documents carry their images' sizes, so that nothing has to wait for pixels, and no image for another.
public struct FeedUpdates: Sendable {
    /// How cells are made of posts.
    public struct Appearance: Sendable, Hashable {
        /// The columns.
        public var layout: WaterfallLayout
        /// The height of a thumbnail.
        public var aspect: AspectRule
        /// The content of a cell below its thumbnail.
        public var captionHeight: CGFloat
        /// The heading of each section.
        public var headingHeight: CGFloat
        /// The part of a thumbnail that is loaded.
        public var thumbnails: ThumbnailForm

        /// Creates an appearance.
        public init(
            layout: WaterfallLayout,
            aspect: AspectRule = AspectRule(),
            captionHeight: CGFloat = 0,
            headingHeight: CGFloat = 0,
            thumbnails: ThumbnailForm = .whole
        ) {
            self.layout = layout
            self.aspect = aspect
            self.captionHeight = captionHeight
            self.headingHeight = headingHeight
            self.thumbnails = thumbnails
        }
    }

    private let repository: FeedRepository
    private let pipeline: ImagePipeline
    private let appearance: Appearance
    private let recorder: ViewRecorder?

    /// Creates the updates of screens that look alike.
    ///
    /// The recorder learns which sections are shown; report to it yourself of the posts that are opened.
    public init(
        repository: FeedRepository,
        pipeline: ImagePipeline,
        appearance: Appearance,
        recorder: ViewRecorder? = nil
    ) {
        self.repository = repository
        self.pipeline = pipeline
        self.appearance = appearance
        self.recorder = recorder
    }

    /// Loads the sections' pages at the same time, lays them out, and loads the thumbnails from the top.
    ///
    /// The stream throws ``FeedError`` when a page does not come; an image that fails is an update. Letting go of the
    /// stream abandons what has not come.
    public func updates(for sections: [FeedSection]) -> AsyncThrowingStream<FeedUpdate, any Error> {
        recorder?.recordShowing(sections)
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: FeedUpdate.self, throwing: (any Error).self)
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

    private func pages(of sections: [FeedSection]) async throws -> [FeedPage] {
        try await withThrowingTaskGroup(of: (Int, FeedPage).self) { group in
            for (index, section) in sections.enumerated() {
                group.addTask {
                    let page = try await repository.page(
                        sort: section.sort,
                        number: section.page,
                        size: section.size,
                        after: section.cursor,
                        matching: section.filter
                    )
                    return (index, page)
                }
            }
            var pages: [Int: FeedPage] = [:]
            for try await (index, page) in group { pages[index] = page }
            return sections.indices.compactMap { pages[$0] }
        }
    }

    private func loadThumbnails(of cells: [FeedCell], _ report: (FeedUpdate) -> Void) async {
        let shown = cells.filter { !$0.post.images.isEmpty }
        let references = shown.flatMap {
            $0.post.references(
                to: .thumbnail,
                in: repository.endpoint.bucket,
                thumbnails: appearance.thumbnails
            )
        }
        for await delivery in await pipeline.images(for: references) {
            let cell = shown[delivery.index]
            switch delivery.result {
            case .success(let data): report(.image(cell.id, data))
            case .failure(let error): report(.failed(cell.id, error))
            }
        }
    }

    /// Where everything is, from the posts alone.
    func layOut(_ sections: [FeedSection], from pages: [FeedPage]) -> FeedLayout {
        var top: CGFloat = 0
        var laidOut: [FeedLayout.Section] = []
        for (index, (section, page)) in zip(sections, pages).enumerated() {
            let width = appearance.layout.width
            let heading = CGRect(x: 0, y: top, width: width, height: appearance.headingHeight)
            top = heading.maxY
            let cells = cells(of: page.posts, section: index, below: top)
            top = cells.map(\.frame.maxY).max().map { $0 + appearance.layout.spacing } ?? top
            laidOut.append(
                FeedLayout.Section(
                    section: section,
                    headingFrame: heading,
                    cells: cells,
                    next: section.next(after: page)
                )
            )
        }
        return FeedLayout(
            sections: laidOut,
            height: max(laidOut.last?.headingFrame.maxY ?? 0, laidOut.flatMap(\.cells).map(\.frame.maxY).max() ?? 0)
        )
    }

    private func cells(of posts: [FeedPost], section: Int, below top: CGFloat) -> [FeedCell] {
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
                id: FeedCell.ID(section: section, post: posts[index].id),
                post: posts[index],
                frame: frame,
                imageFrame: CGRect(x: frame.minX, y: frame.minY, width: width, height: imageHeights[index])
            )
        }
    }
}
