// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Refactorings

/// Loads the articles' screens, before and after, each with connections and caches of its own.
struct RefactoringTrial {
    /// Something that a user waits for.
    struct Row: Codable {
        var name: String
        var before: Cost
        var after: Cost
    }

    /// Something that did not come, so that the times say nothing.
    struct Incomplete: Error { let what: String }

    let endpoint: FeedEndpoint

    /// The refactorings' rows, before and after.
    func refactorings() async throws -> [Row] { try await listRows() + posterRows() + layoutRows() }

    private func listRows() async throws -> [Row] {
        let visit = try Visit(endpoint)
        let everyImage = EveryImageFeed(
            repository: visit.repository,
            storage: endpoint.storage,
            transport: visit.transport
        )
        let before = try await [
            visit.cost { _ = try await everyImage.open() }, visit.cost { _ = try await everyImage.open() },
        ]

        let caches = FileManager.default.temporaryDirectory.appendingPathComponent("refactoring-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: caches) }
        let later = try Visit(endpoint)
        let thumbnails = try ThumbnailFeed(endpoint: endpoint, cachesDirectory: caches, transport: later.transport)
        var shown: [FeedPost] = []
        let after = try await [
            later.cost { try await thumbnails.open { post, _ in shown.append(post) } },
            later.cost { try await thumbnails.open { post, _ in shown.append(post) } },
        ]
        guard shown.count == 16, let post = shown.first(where: { $0.images.count == 4 }) else {
            throw Incomplete(what: "the list")
        }
        var openedCount = 0
        let opened = try await later.cost { await thumbnails.open(post) { _ in openedCount += 1 } }
        guard openedCount == 3 else { throw Incomplete(what: "the opened post") }
        return [
            Row(name: "1: the list's images, at first", before: before[0], after: after[0]),
            Row(name: "1: the same, at the next tab switch", before: before[1], after: after[1]),
            Row(name: "1: a post of four images is opened", before: Cost(seconds: 0, bodyBytes: 0), after: opened),
        ]
    }

    private func posterRows() async throws -> [Row] {
        let posts = try await Visit(endpoint).repository.page(sort: .popular, number: 0, size: 8).posts
        let references = posts.flatMap { $0.references(to: .thumbnail, in: endpoint.bucket) }
        let visits = [try Visit(endpoint), try Visit(endpoint)]
        let before = try await visits[0].cost {
            let backgrounds = try await postersOneByOne(references, visits[0].pipeline)
            guard backgrounds.count == references.count else { throw Incomplete(what: "the posters") }
        }
        let after = try await visits[1].cost {
            let posters = try await postersTogether(references, visits[1].pipeline)
            guard posters.count == references.count else { throw Incomplete(what: "the posters") }
        }
        return [Row(name: "2: eight posters and their colors", before: before, after: after)]
    }

    private static let filter = FeedFilter(field: "userID", equals: .string("u01"))

    private func layoutRows() async throws -> [Row] {
        let visit = try Visit(endpoint)
        let waiting = WaitingScreen(repository: visit.repository, pipeline: visit.pipeline)
        var shownCount = 0
        let before = try await visit.cost {
            try await waiting.load(filter: Self.filter) { images in shownCount = images.count }
        }
        guard shownCount == 16 else { throw Incomplete(what: "the waiting screen") }
        let after = try await twoSections(.init())
        return [
            Row(name: "3: every cell has its place", before: before, after: after.placed),
            Row(name: "3: the first image", before: before, after: after.first),
            Row(name: "3: an image, on average", before: before, after: after.mean),
            Row(name: "3: all sixteen images", before: before, after: after.last),
        ]
    }

    /// The last screen with six loads at a time, whatever their size, and as the pipeline does it; in turns, so that neither
    /// is always the first.
    func concurrencies(sixComeFirst: Bool) async throws -> [Row] {
        let six = ImagePipeline.Configuration(concurrentLoadByteCountMax: .max)
        let showings = try await [twoSections(sixComeFirst ? six : .init()), twoSections(sixComeFirst ? .init() : six)]
        let (before, after) = sixComeFirst ? (showings[0], showings[1]) : (showings[1], showings[0])
        return [
            Row(name: "the first image", before: before.first, after: after.first),
            Row(name: "an image, on average", before: before.mean, after: after.mean),
            Row(name: "all sixteen images", before: before.last, after: after.last),
        ]
    }

    private struct Showing {
        var placed: Cost
        var first: Cost
        var mean: Cost
        var last: Cost
    }

    private func twoSections(_ configuration: ImagePipeline.Configuration) async throws -> Showing {
        let visit = try Visit(endpoint, configuration)
        let screen = TimedScreen(visit)
        let twoSections = TwoSectionScreen(repository: visit.repository, pipeline: visit.pipeline)
        try await twoSections.load(filter: Self.filter, width: 390, screen)
        let shown = await screen.shown
        guard let placed = await screen.placed, shown.count == 16 else { throw Incomplete(what: "the two sections") }
        let mean = shown.reduce(0) { $0 + $1.seconds } / Double(shown.count)
        return Showing(
            placed: placed,
            first: shown[0],
            mean: Cost(seconds: mean, bodyBytes: shown[15].bodyBytes),
            last: shown[15]
        )
    }
}

extension RefactoringTrial.Row {
    init(medianOf rows: [Self]) {
        self.init(
            name: rows[0].name,
            before: Cost(medianOf: rows.map(\.before)),
            after: Cost(medianOf: rows.map(\.after))
        )
    }
}
