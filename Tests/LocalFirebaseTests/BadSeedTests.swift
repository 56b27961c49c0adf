// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedDataSet
import LocalFirebase
import ObjectStore
import TestSupport
import Testing
import TinyFeed

@Suite(.timeLimit(.minutes(5))) struct BadSeedTests {
    private func failure(of seedPath: String, _ feed: TinyFeed) async throws -> EmulatorError? {
        var configuration = feed.configuration
        configuration.seedPath = seedPath
        configuration.storage = .directory(feed.directory.file("data"))
        return await #expect(throws: EmulatorError.self) {
            try await Emulator(configuration).run { _ in Issue.record("must not serve") }
        }
    }

    @Test func `names a path where nothing is`() async throws {
        let feed = try TinyFeed()
        let error = try await failure(of: "/no/such/feed", feed)
        #expect(error?.code == .badData)
        #expect(error?.description.hasPrefix("cannot seed: /no/such/feed: no such file or folder") == true)
        #expect(feed.directory.names() == ["feed.json"])
    }

    @Test func `says what is wrong in a description`() async throws {
        let feed = try TinyFeed()
        try feed.directory.write(#"{"schema":"firemeter.feed/1","project":7}"#.utf8, to: "feed.json")
        let error = try await failure(of: feed.path, feed)
        #expect(error?.exitCode == 65)
        #expect(error?.description == "cannot seed: project: expected a string")
        #expect(feed.directory.names() == ["feed.json"])
    }

    @Test func `refuses a bucket that Cloud Storage would`() async throws {
        let feed = try TinyFeed(bucket: "UPPER")
        let error = try await failure(of: feed.path, feed)
        #expect(error?.code == .badData)
        #expect(error?.description == "cannot seed: 'UPPER' is no bucket name")
    }

    @Test func `stores nothing when the last image is cut short`() async throws {
        let feed = try TinyFeed()
        let dataSet = try FeedDataSet.load(feed.path)
        let photo = try dataSet.image(of: dataSet.posts[0], at: 0).bytes
        try feed.directory.write(photo, to: "photos/u1/p1/0.jpg")
        try feed.directory.write(photo.dropLast(500), to: "photos/u1/p1/1.jpg")
        let error = try await failure(of: feed.directory.file("photos"), feed)
        #expect(error?.code == .badData)
        #expect(error?.description.contains("photos/u1/p1/1.jpg: truncated JPEG file") == true)
        let store = try SQLiteObjectStore(directory: feed.directory.file("data/storage"), clock: { 0 })
        let bucket = try #require(BucketName("demo-feed.appspot.com"))
        #expect(try store.list(bucket, matching: ObjectListQuery(maxResults: 1)).items.isEmpty)
        #expect(!feed.directory.names(in: "data").contains("seeded.json"))
    }
}
