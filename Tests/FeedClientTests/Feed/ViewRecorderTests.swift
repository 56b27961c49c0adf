// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ViewRecorderTests {
    private let directory = TemporaryDirectory()
    private let clock = ManualClock()

    private func makePath() throws -> String {
        try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
        return directory.url.appendingPathComponent("session.log").path
    }

    private func makeSession(_ recorder: ViewRecorder?) throws -> FeedSession {
        FeedSession(
            repository: FeedRepository(endpoint: FakeFeed.endpoint, transport: FakeFeed()),
            pipeline: try ImagePipeline(storage: FakeFeed.endpoint.storage, transport: FakeFeed()),
            mode: .thumbnails,
            pageSize: 2,
            recorder: recorder
        )
    }

    private func makeRecorder(_ path: String, now: TimeInterval = 1_000) throws -> ViewRecorder {
        try ViewRecorder(
            path: path,
            client: "u1",
            endpoint: FakeFeed.endpoint,
            pageSize: 2,
            now: Date(timeIntervalSince1970: now),
            clock: clock
        )
    }

    @Test func `writes each view with its time`() async throws {
        let path = try makePath()
        let session = try makeSession(try makeRecorder(path))
        try await session.openFeed(.popular)
        clock.advance(by: .microseconds(1_500_999))
        try await session.scroll(to: 1)
        try await session.openPost(owner: "u2", id: "p2")
        _ = try? await session.openPost(owner: "u9", id: "p9")
        clock.advance(by: .seconds(3_600))
        try await session.switchTab(to: .latest)
        await session.relaunch()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(
            text == #"""
                {"type":"header","schema":"firemeter.session/1","createdAt":"1970-01-01T00:16:40Z","feed":{"bucket":"demo.appspot.com","collection":"posts","database":"(default)","project":"demo"},"pageSize":2}
                {"type":"view","at":0,"client":"u1","view":"openFeed","sort":"popular","page":0}
                {"type":"view","at":1500,"client":"u1","view":"scroll","sort":"popular","page":1}
                {"type":"view","at":1500,"client":"u1","view":"openPost","owner":"u2","post":"p2"}
                {"type":"view","at":3601500,"client":"u1","view":"switchTab","sort":"latest"}
                {"type":"view","at":3601500,"client":"u1","view":"relaunch"}

                """#
        )
    }

    @Test(arguments: [(1_090.0, 90_250), (900.0, 250)])
    func `times views from the beginning of a log that is there already`(now: TimeInterval, at: Int64) async throws {
        let path = try makePath()
        _ = try makeRecorder(path)
        let session = try makeSession(try makeRecorder(path, now: now))
        clock.advance(by: .milliseconds(250))
        await session.relaunch()
        #expect(try SessionLog.load(path).views.map(\.atMilliseconds) == [at])
    }

    @Test func `records what can be replayed to the same views`() async throws {
        let path = try makePath()
        let recorded = try makeSession(try makeRecorder(path))
        try await recorded.openFeed(.latest, page: 1)
        try await recorded.scroll(to: 2)
        try await recorded.openPost(owner: "u0", id: "p0")
        await recorded.relaunch()
        try await recorded.switchTab(to: .popular)
        let actions = try SessionLog.load(path).views.map(\.action)

        let secondPath = path + ".again"
        let replayed = try makeSession(try makeRecorder(secondPath))
        for action in actions { try await replayed.perform(action) }
        #expect(try SessionLog.load(secondPath).views.map(\.action) == actions)
    }

    @Test(arguments: [(nil, 2), (8, 2), (2, nil)] as [(Int?, Int?)])
    func `tells a page size that is not the log's`(logged: Int?, told: Int?) async throws {
        let header = SessionHeader(createdAt: LogTime(microseconds: 0), pageSize: logged)
        let path = try makePath()
        let recorder = ViewRecorder(writer: try SessionLogWriter(path, header: header), client: "u1", clock: clock)
        try await makeSession(recorder).openFeed(.latest)
        let listing = SessionView.Listing(sort: .latest, pageSize: told)
        #expect(try SessionLog.load(path).views.map(\.action) == [.openFeed(listing, page: 0)])
    }

    @Test func `a section that goes on unannounced is noted as opened at its page`() async throws {
        let path = try makePath()
        let recorder = try makeRecorder(path)
        let repository = FeedRepository(endpoint: FakeFeed.endpoint, transport: FakeFeed())
        let cursor = try #require(try await repository.page(sort: .popular, number: 1, size: 2).cursor)
        let section = FeedSection(name: "all", after: cursor)
        recorder.recordShowing([section])
        recorder.recordShowing([section])
        recorder.recordRelaunch()
        recorder.recordShowing([section])
        #expect(
            try SessionLog.load(path).views.map(\.action) == [
                .openFeed(.popular, page: 2), .scroll(.popular, page: 2), .relaunch, .openFeed(.popular, page: 2),
            ]
        )
    }

    @Test func `what could not be written has not happened`() async throws {
        let path = try makePath()
        let writer = try SessionLogWriter(
            path,
            header: SessionHeader(createdAt: LogTime(microseconds: 0), pageSize: 2)
        )
        let recorder = ViewRecorder(writer: writer, client: "u1", clock: clock)
        let section = FeedSection(name: "all", sort: .popular, size: 2)
        let mine = FeedFilter(
            field: "title",
            equals: .string(String(repeating: "x", count: SessionLog.lineByteCountMax))
        )
        recorder.recordShowing([section, FeedSection(name: "mine", sort: .latest, filter: mine)])
        #expect(recorder.failedViewCount == 2)
        let repository = FeedRepository(endpoint: FakeFeed.endpoint, transport: FakeFeed())
        let cursor = try #require(try await repository.page(sort: .popular, number: 0, size: 2).cursor)
        recorder.recordShowing([FeedSection(name: "all", after: cursor)])
        #expect(try SessionLog.load(path).views.map(\.action) == [.openFeed(.popular, page: 1)])
    }

    @Test func `counts views that cannot be written`() async throws {
        let writer = try SessionLogWriter(try makePath(), header: SessionHeader(createdAt: LogTime(microseconds: 0)))
        let recorder = ViewRecorder(writer: writer, client: "u1", clock: clock)
        let session = try makeSession(recorder)
        writer.close()
        #expect(try await session.openFeed(.popular).imageCount == 2)
        #expect(recorder.failedViewCount == 1)
    }
}
