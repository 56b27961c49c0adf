// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalFirebase
import Metering
import SessionLog
import TestSupport
import Testing
import TinyFeed

@testable import Auditing

@Suite(.timeLimit(.minutes(5))) struct SessionRecordingTests {
    /// Records two users of the tiny feed into a log, as `firemeter audit record` does.
    private func record(walkSeed: UInt64, into name: String, _ feed: TinyFeed) async throws -> SessionLog {
        let path = feed.directory.file(name)
        var configuration = feed.configuration
        configuration.recordPath = path
        configuration.recordedPageSize = 2
        let header = try SessionHeader(recordedBy: configuration)
        configuration.recordPath = path + ".tour"
        let tour = try await Emulator(configuration).run { addresses in
            try await FeedTour(of: header, console: ConsoleClient(address: addresses.console))
        }
        let recording = try SessionRecording(header: header, tour: tour, requests: path + ".tour", walkSeed: walkSeed)
        try recording.record(userCount: 2, to: path)
        return try SessionLog.load(path)
    }

    @Test func `the walk is a function of its seed`() async throws {
        let feed = try TinyFeed()
        let first = try await record(walkSeed: 1, into: "1.log", feed)
        let again = try await record(walkSeed: 1, into: "2.log", feed)
        let other = try await record(walkSeed: 2, into: "3.log", feed)
        #expect(first == again)
        #expect(first.views != other.views)
    }

    @Test func `records views and requests in one log that can be replayed`() async throws {
        let feed = try TinyFeed()
        let log = try await record(walkSeed: 1, into: "session.log", feed)
        #expect(log.header.dataSet == "feed.json")
        #expect(log.header.feed == TinyFeed.address)
        #expect(log.header.pageSize == 2)
        #expect(log.views.first?.client == "u1")
        #expect(log.views.first?.action == .openFeed(.popular, page: 0))
        #expect(Set(log.views.map(\.client)) == ["u1", "u2"])
        #expect(log.views.map(\.atMilliseconds) == log.views.map(\.atMilliseconds).sorted())
        let outcome = try await Emulator(feed.configuration).run { addresses in
            let replay = FeedReplay(log: log, console: ConsoleClient(address: addresses.console))
            return try await replay.outcomes(of: [.baseline])
        }
        // The recorded strategy is the baseline, so replaying it sends the very same requests.
        #expect(outcome.map(\.usage.requests) == [Int64(log.requestCount)])
        let recorded = try Self.entries(of: feed.directory.file("session.log")).compactMap { entry in
            if case .request(let request) = entry { request.record } else { nil }
        }
        #expect(outcome.map(\.usage.sent.body) == [recorded.reduce(0) { $0 + $1.sent.body }])
        #expect(outcome.map(\.usage.billed) == [recorded.reduce(.zero) { $0 + $1.billed }])
    }

    @Test func `each document and object is described once, before the first request for it`() async throws {
        let feed = try TinyFeed()
        _ = try await record(walkSeed: 1, into: "session.log", feed)
        var (documents, objects): (Set<Int>, Set<String>) = ([], [])
        var requestCount = 0
        for entry in try Self.entries(of: feed.directory.file("session.log")) {
            switch entry {
            case .document(let document): #expect(documents.insert(document.number).inserted)
            case .object(let object): #expect(objects.insert(object.object).inserted)
            case .request(let request):
                requestCount += 1
                #expect(documents.isSuperset(of: request.reading?.documents ?? []))
                #expect(request.record.attribution.object.map(objects.contains) != false)
            default: break
            }
        }
        #expect(requestCount > 0 && documents.count == 3 && objects.count == 6)
    }

    @Test func `users have connections of their own`() async throws {
        let feed = try TinyFeed()
        _ = try await record(walkSeed: 1, into: "session.log", feed)
        var users: [Int: Set<String>] = [:]
        var user = ""
        for entry in try Self.entries(of: feed.directory.file("session.log")) {
            if case .view(let view) = entry { user = view.client }
            if case .request(let request) = entry, let connection = request.origin?.connection {
                users[connection, default: []].insert(user)
            }
        }
        #expect(users.count >= 4)
        #expect(users.values.allSatisfy { $0.count == 1 })
    }

    private static func entries(of path: String) throws -> [SessionEntry] {
        let reader = try SessionLogReader(path)
        var entries: [SessionEntry] = []
        while let entry = try reader.next() { entries.append(entry) }
        return entries
    }

    @Test func `every user starts the app two or three times`() async throws {
        let feed = try TinyFeed()
        let log = try await record(walkSeed: 5, into: "session.log", feed)
        for client in ["u1", "u2"] {
            let actions = log.views.filter { $0.client == client }.map(\.action)
            let opened = actions.count { if case .openFeed = $0 { true } else { false } }
            #expect((2...3).contains(opened))
            #expect(actions.count { $0 == .relaunch } == opened - 1)
        }
    }

    @Test func `will not mix two sessions in one log`() async throws {
        let feed = try TinyFeed()
        let path = feed.directory.file("session.log")
        // Another day's session.
        try SessionLogWriter(path, header: SessionHeader(createdAt: LogTime(microseconds: 0))).close()
        let error = await #expect(throws: AuditError.self) {
            _ = try await record(walkSeed: 1, into: "session.log", feed)
        }
        #expect(error?.code == .inputOutput)
        #expect(error?.description.hasPrefix("\(path) holds another session") == true)
    }

    @Test func `needs to be told where the feed lives`() async throws {
        let header = SessionHeader(createdAt: LogTime(microseconds: 0))
        let console = ConsoleClient(address: "127.0.0.1:4000", transport: StubConsole())
        let error = await #expect(throws: AuditError.self) { try await FeedTour(of: header, console: console) }
        #expect(error?.code == .badData)
    }

    @Test func `a tour that was broken off is not made into a session`() async throws {
        let feed = try TinyFeed()
        _ = try await record(walkSeed: 1, into: "session.log", feed)
        let tour = feed.directory.file("session.log.tour")
        let lines = try String(contentsOfFile: tour, encoding: .utf8).split(separator: "\n")
        let last = try #require(lines.last).replacing(#""type":"request""#, with: #""type":"part""#)
        try (lines.dropLast() + [last[...]]).joined(separator: "\n").write(
            toFile: tour,
            atomically: true,
            encoding: .utf8
        )
        #expect(throws: AuditError.self) { try RecordedTour(tour) }
    }
}
