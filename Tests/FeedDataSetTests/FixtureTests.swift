// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedDataSet
import Foundation
import Testing

struct FixtureTests {
    private static let path = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("fixtures/feed").path

    @Test func `the fixture is a month of posts by twenty users`() throws {
        let feed = try FeedDataSet.load(Self.path)
        #expect(feed.project == "demo-feed")
        #expect(feed.bucket == "demo-feed.appspot.com")
        #expect(feed.users.count == 20)
        #expect(feed.posts.count >= 60)
        #expect(Set(feed.posts.map(\.owner)).count == 20)
        #expect(feed.posts.allSatisfy { (1...5).contains($0.imageCount) && (0...5_000).contains($0.likes) })
        let newest = try #require(feed.posts.map(\.createdAt).max())
        #expect(newest.rfc3339.hasPrefix("2026-11-20"))
    }

    @Test func `the folder and the file load alike`() throws {
        #expect(try FeedDataSet.load(Self.path) == FeedDataSet.load(Self.path + "/feed.json"))
    }

    @Test func `an image is rendered, the same each time`() throws {
        let feed = try FeedDataSet.load(Self.path)
        let post = try #require(feed.posts.first)
        let image = try feed.image(of: post, at: 0)
        #expect(image.contentType == "image/jpeg")
        #expect(image.bytes.count > 50_000)
        #expect(try feed.image(of: post, at: 0) == image)
    }

    @Test(.timeLimit(.minutes(5))) func `images can be asked for concurrently`() async throws {
        let feed = try FeedDataSet.load(Self.path)
        let post = try #require(feed.posts.first { $0.imageCount >= 4 })
        let images = try await withThrowingTaskGroup(of: SeedImage.self) { group in
            for index in 0..<4 { group.addTask { try feed.image(of: post, at: index) } }
            return try await group.reduce(into: Set<SeedImage>()) { $0.insert($1) }
        }
        #expect(images.count == 4)
    }
}
