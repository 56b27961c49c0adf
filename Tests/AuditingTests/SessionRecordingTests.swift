// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import LocalFirebase
import Metering
import SessionLog
import TestSupport
import Testing
import TinyFeed

@Suite(.timeLimit(.minutes(5))) struct SessionRecordingTests {
    /// Records two users of the tiny feed into a log, as `audit record` does.
    private func record(walkSeed: UInt64, into name: String, _ feed: TinyFeed) async throws -> SessionLog {
        let clock = VirtualClock(startingAt: TinyFeed.now)
        var configuration = EmulatorConfiguration(now: clock.microseconds, makeToken: CountedTokens().make)
        configuration.ports = .free
        configuration.temporaryDirectory = feed.directory.path
        configuration.seedPath = feed.path
        configuration.recordPath = feed.directory.file(name)
        configuration.recordedPageSize = 2
        let recording = SessionRecording(
            path: feed.directory.file(name),
            header: try SessionHeader(recordedBy: configuration),
            clock: clock,
            walkSeed: walkSeed
        )
        try await Emulator(configuration).run { addresses in
            try await recording.record(userCount: 2, console: ConsoleClient(address: addresses.console))
        }
        return try SessionLog.load(feed.directory.file(name))
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
        let clock = VirtualClock(startingAt: 0)
        let recording = SessionRecording(path: "unused", header: header, clock: clock, walkSeed: 1)
        let console = ConsoleClient(address: "127.0.0.1:4000", transport: StubConsole())
        let error = await #expect(throws: AuditError.self) {
            try await recording.record(userCount: 1, console: console)
        }
        #expect(error?.code == .badData)
    }
}
