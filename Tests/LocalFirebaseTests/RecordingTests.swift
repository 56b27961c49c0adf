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

    private func requests(_ path: String) throws -> [SessionRequest] {
        let reader = try SessionLogReader(path)
        var requests: [SessionRequest] = []
        while let entry = try reader.next() {
            if case .request(let request) = entry { requests.append(request) }
        }
        return requests
    }

    @Test func `writes every request to the session log`() async throws {
        let feed = try TinyFeed()
        try feed.directory.write([], to: "logs/session.log")
        let bytes = try await Emulator(recorded(feed)).run { addresses in
            let visitor = try FeedVisitor(addresses)
            let posts = try await visitor.posts()
            return try await visitor.image(posts[0].images[1], of: posts[0]).count
        }
        let records = try requests(feed.directory.file("logs/session.log")).map(\.record)
        #expect(records.map(\.attribution.operation) == ["firestore.runQuery", "storage.objects.get"])
        #expect(records.map(\.startMicroseconds) == [TinyFeed.now, TinyFeed.now])
        #expect(records[0].billed.documentReads == 3)
        #expect(records[1].sent.body == Int64(bytes))
        #expect(records[1].attribution.image == FeedImagePath(owner: "u1", feed: "p1", index: 1))
    }

    @Test func `a line says by which address and connection it came, in numbers`() async throws {
        let feed = try TinyFeed()
        try feed.directory.write([], to: "logs/session.log")
        try await Emulator(recorded(feed)).run { addresses in
            for _ in 0..<2 {
                let visitor = try FeedVisitor(addresses)
                let posts = try await visitor.posts()
                // The last two are the same, and may be answered from memory.
                for _ in 0..<3 { _ = try await visitor.image(posts[0].images[1], of: posts[0]) }
            }
        }
        let origins = try requests(feed.directory.file("logs/session.log")).map(\.origin)
        #expect(origins.count == 8)
        #expect(origins.allSatisfy { $0?.peer == 1 })
        let connections = origins.map { $0?.connection }
        // Each visitor has a connection of its own to Firestore.
        #expect(connections[0] != nil && connections[0] != connections[4])
        #expect(Set(connections[..<4]).isDisjoint(with: connections[4...]))
    }

    @Test(
        arguments: [
            ("v0/b/BUCKET/o?prefix=u1/&delimiter=/", SessionRequest.Listing(prefix: "u1/", hasDelimiter: true)),
            ("v0/b/BUCKET/o?maxResults=1", SessionRequest.Listing(prefix: "")),
            ("storage/v1/b/BUCKET/o?prefix=u1/p&delimiter=-", SessionRequest.Listing(prefix: "u1/p")),
        ]
    )
    func `a listing's line says what was listed`(target: String, listing: SessionRequest.Listing) async throws {
        let feed = try TinyFeed()
        try feed.directory.write([], to: "logs/session.log")
        try await Emulator(recorded(feed)).run { addresses in
            let visitor = try FeedVisitor(addresses)
            let path = target.replacingOccurrences(of: "BUCKET", with: visitor.endpoint.bucket)
            let url = try #require(URL(string: "\(visitor.endpoint.storage)/\(path)"))
            let body = try await visitor.transport.send(TransportRequest(method: "GET", url: url)).body.collected()
            struct Page: Decodable { let nextPageToken: String? }
            guard let token = try JSONDecoder().decode(Page.self, from: body).nextPageToken else { return }
            let next = try #require(URL(string: "\(url)&pageToken=\(token)"))
            _ = try await visitor.transport.send(TransportRequest(method: "GET", url: next)).body.collected()
        }
        let listings = try requests(feed.directory.file("logs/session.log")).map(\.listing)
        #expect(listings.first == listing)
        #expect(listings.dropFirst().allSatisfy { $0?.isContinued == true && $0?.prefix == listing.prefix })
        #expect(listings.count == (target.contains("maxResults") ? 2 : 1))
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
