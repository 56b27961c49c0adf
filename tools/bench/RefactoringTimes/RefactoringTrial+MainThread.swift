// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Refactorings

extension RefactoringTrial {
    /// For how long the main thread is not free, at the longest, while 64 pictures are saved and loaded.
    @MainActor func mainThreadRows() async throws -> [Row] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("refactoring-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let before = MainThreadNotebook(directory: folder)
        let after = Notebook(files: try ImageFileStore(directory: folder), placeholder: Data())
        let pictures = try await pictures()

        let (savedBefore, savingBefore) = try await longestStall {
            try pictures.map { try before.save("", $0) }
        }
        let (savedAfter, savingAfter) = try await longestStall {
            var notes: [Note] = []
            for picture in pictures { notes.append(try await after.save("", picture)) }
            return notes
        }
        let (loadedBefore, loadingBefore) = try await longestStall { try before.pictures(of: savedBefore) }
        let (loadedAfter, loadingAfter) = try await longestStall {
            try await after.illustrated(savedAfter).map(\.image)
        }
        guard loadedBefore == pictures, loadedAfter == pictures else { throw Incomplete(what: "the pictures") }
        return [
            Row(name: "\(pictures.count) pictures are saved", before: savingBefore, after: savingAfter),
            Row(name: "\(pictures.count) pictures are loaded", before: loadingBefore, after: loadingAfter),
        ]
    }

    private func pictures() async throws -> [Data] {
        let visit = try Visit(endpoint)
        let posts = try await visit.repository.page(sort: .popular, number: 0, size: 8).posts
        var pictures: [Data] = []
        for thumbnail in posts.flatMap({ $0.references(to: .thumbnail, in: endpoint.bucket) }) {
            pictures.append(try await visit.pipeline.image(for: thumbnail))
        }
        return (0..<8).flatMap { _ in pictures }
    }
}

/// Runs the body; the longest time in which the main thread did nothing else.
@MainActor private func longestStall<Result>(
    of body: @MainActor () async throws -> Result
) async rethrows -> (Result, Cost) {
    let watch = MainThreadWatch()
    let ticker = Task {
        while !Task.isCancelled {
            watch.tick()
            try? await Task.sleep(for: MainThreadWatch.pause)
        }
    }
    defer { ticker.cancel() }
    let result = try await body()
    watch.tick()
    return (result, Cost(seconds: watch.longest / .seconds(1), bodyBytes: 0))
}

@MainActor private final class MainThreadWatch {
    static let pause = Duration.milliseconds(1)
    /// How late a tick was at the latest.
    private(set) var longest = Duration.zero
    private var due = ContinuousClock.now

    func tick() {
        let now = ContinuousClock.now
        longest = max(longest, due.duration(to: now))
        due = now + Self.pause
    }
}
