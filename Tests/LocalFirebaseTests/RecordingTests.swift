// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import LocalFirebase
import Metering
import SessionLog
import TestSupport
import Testing
import TinyFeed

@Suite(.timeLimit(.minutes(5))) struct RecordingTests {
    private func recorded(_ feed: TinyFeed) -> EmulatorConfiguration {
        var configuration = feed.configuration
        configuration.recordPath = feed.directory.file("logs/session.log")
        configuration.recordedPageSize = 2
        return configuration
    }

    private func requests(_ path: String) throws -> [UsageRecord] {
        let reader = try SessionLogReader(path)
        var records: [UsageRecord] = []
        while let entry = try reader.next() {
            if case .request(let request) = entry { records.append(request.record) }
        }
        return records
    }

    @Test func `writes every request to the session log`() async throws {
        let feed = try TinyFeed()
        try feed.directory.write([], to: "logs/session.log")
        let bytes = try await Emulator(recorded(feed)).run { addresses in
            let visitor = try FeedVisitor(addresses)
            let posts = try await visitor.posts()
            return try await visitor.image(posts[0].images[1], of: posts[0]).count
        }
        let records = try requests(feed.directory.file("logs/session.log"))
        #expect(records.map(\.attribution.operation) == ["firestore.runQuery", "storage.objects.get"])
        #expect(records.map(\.startMicroseconds) == [TinyFeed.now, TinyFeed.now])
        #expect(records[0].billed.documentReads == 3)
        #expect(records[1].sent.body == Int64(bytes))
        #expect(records[1].attribution.image == FeedImagePath(owner: "u1", feed: "p1", index: 1))
    }

    @Test func `begins with the header that it announces`() async throws {
        let feed = try TinyFeed()
        let configuration = recorded(feed)
        try FileManager.default.createDirectory(
            atPath: feed.directory.file("logs"),
            withIntermediateDirectories: false
        )
        try await Emulator(configuration).run { _ in }
        let header = try SessionLogReader(feed.directory.file("logs/session.log")).header
        #expect(try header == SessionHeader(recordedBy: configuration))
        #expect(header.createdAt.text == "2026-11-20T09:00:00Z")
        #expect(header.dataSet == "../feed.json")
        #expect(header.feed == TinyFeed.address)
        #expect(header.pageSize == 2)
    }

    @Test func `a header without a feed names none`() throws {
        let header = try SessionHeader(recordedBy: EmulatorConfiguration(now: { 0 }))
        #expect(header == SessionHeader(createdAt: LogTime(microseconds: 0)))
    }

    @Test func `a header cannot be made from a bad data set`() throws {
        var configuration = EmulatorConfiguration()
        configuration.seedPath = "/no/such/feed"
        let error = #expect(throws: EmulatorError.self) { try SessionHeader(recordedBy: configuration) }
        #expect(error?.code == .badData)
    }
}
