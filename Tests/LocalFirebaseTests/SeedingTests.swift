// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import FeedDataSet
import Foundation
import LocalFirebase
import NIOConcurrencyHelpers
import TestSupport
import Testing
import TinyFeed

@Suite(.timeLimit(.minutes(5))) struct SeedingTests {
    /// Runs an emulator and returns how the seeding ended, with what `body` returned.
    private func run<Result: Sendable>(
        _ configuration: EmulatorConfiguration,
        _ body: @escaping @Sendable (EmulatorAddresses) async throws -> Result
    ) async throws -> (SeedOutcome?, Result) {
        let outcome = NIOLockedValueBox<SeedOutcome?>(nil)
        let emulator = Emulator(configuration, onSeeded: { seeded in outcome.withLockedValue { $0 = seeded } })
        let result = try await emulator.run(body)
        return (outcome.withLockedValue { $0 }, result)
    }

    private func kept(_ feed: TinyFeed) -> EmulatorConfiguration {
        var configuration = feed.configuration
        configuration.storage = .directory(feed.directory.file("data"))
        return configuration
    }

    @Test func `documents tell the truth about their images`() async throws {
        let feed = try TinyFeed()
        let dataSet = try FeedDataSet.load(feed.path)
        try await Emulator(feed.configuration).run { addresses in
            let visitor = try FeedVisitor(addresses)
            try await visitor.expectTruth(of: dataSet)
            #expect(try await visitor.posts(.latest).map(\.id) == ["p2", "p3", "p1"])
            let images = try await visitor.posts().flatMap(\.images)
            #expect(images.compactMap(\.token) == (1...6).map { "00000000-0000-4000-8000-00000000000\($0)" })
            #expect(images.compactMap(\.generation) == (0..<6).map { TinyFeed.now + $0 })
        }
    }

    @Test func `tells how far it has come and how it ended`() async throws {
        let feed = try TinyFeed()
        let steps = NIOLockedValueBox<[SeedProgress]>([])
        let outcomes = NIOLockedValueBox<[SeedOutcome]>([])
        let emulator = Emulator(
            feed.configuration,
            onSeedProgress: { progress in steps.withLockedValue { $0.append(progress) } },
            onSeeded: { outcome in outcomes.withLockedValue { $0.append(outcome) } }
        )
        try await emulator.run { _ in }
        let progress = steps.withLockedValue { $0 }
        #expect(outcomes.withLockedValue { $0 } == progress.suffix(1).map { .seeded($0.loaded) })
        #expect(progress.map(\.loaded.posts) == [1, 2, 3])
        #expect(progress.map(\.loaded.images) == [2, 3, 6])
        #expect(progress.map(\.imageCountTotal) == [6, 6, 6])
        #expect(progress.map(\.loaded.bytes) == progress.map(\.loaded.bytes).sorted())
    }

    @Test func `loads a data set only once`() async throws {
        let feed = try TinyFeed()
        let (first, before) = try await run(kept(feed)) { try await FeedVisitor($0).posts() }
        guard case .seeded(let counts) = first else { throw UnexpectedOutcome(outcome: first) }
        #expect(counts.posts == 3 && counts.images == 6)
        let (second, after) = try await run(kept(feed)) { try await FeedVisitor($0).posts() }
        #expect(second == .alreadySeeded(counts))
        #expect(before == after)
    }

    @Test func `loads what a broken-off run has left undone`() async throws {
        let feed = try TinyFeed()
        let configuration = kept(feed)
        let broken = Emulator(
            configuration,
            onSeedProgress: { _ in withUnsafeCurrentTask { $0?.cancel() } },
            onSeeded: { Issue.record("seeded: \($0)") }
        )
        let error = await #expect(throws: EmulatorError.self) { try await broken.run { _ in } }
        #expect(error?.code == .stopped)
        #expect(!feed.directory.names(in: "data").contains("seeded.json"))
        let dataSet = try FeedDataSet.load(feed.path)
        let (outcome, _) = try await run(configuration) { try await FeedVisitor($0).expectTruth(of: dataSet) }
        guard case .seeded = outcome else { throw UnexpectedOutcome(outcome: outcome) }
        #expect(feed.directory.names(in: "data").contains("seeded.json"))
    }

    @Test func `loads a data set that has changed over the old one`() async throws {
        let feed = try TinyFeed()
        let other = try TinyFeed(title: "Another")
        _ = try await run(kept(feed)) { _ in }
        var configuration = kept(feed)
        configuration.seedPath = other.path
        let (outcome, posts) = try await run(configuration) { try await FeedVisitor($0).posts() }
        guard case .seeded = outcome else { throw UnexpectedOutcome(outcome: outcome) }
        #expect(posts.map(\.title) == ["Another", "Two", "Three"])
    }

    @Test func `loads anew over a mark that is not whole`() async throws {
        let feed = try TinyFeed()
        _ = try await run(kept(feed)) { _ in }
        try feed.directory.write(#"{"project":"demo-"#.utf8, to: "data/seeded.json")
        let (outcome, _) = try await run(kept(feed)) { _ in }
        guard case .seeded = outcome else { throw UnexpectedOutcome(outcome: outcome) }
    }

    @Test func `the same data set from elsewhere is the same`() async throws {
        let feed = try TinyFeed()
        let copy = try TinyFeed()
        _ = try await run(kept(feed)) { _ in }
        var configuration = kept(feed)
        configuration.seedPath = copy.directory.path
        guard case (.alreadySeeded, _) = try await run(configuration, { _ in }) else {
            throw UnexpectedOutcome(outcome: nil)
        }
    }
}

struct UnexpectedOutcome: Error {
    let outcome: SeedOutcome?
}
