// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct FeedUpdatesTests {
    private static let sections = [
        FeedSection(
            name: "filtered",
            sort: .popular,
            filter: FeedFilter(field: "likes", equals: .integer(100)),
            size: 2
        ),
        FeedSection(name: "recommended", sort: .latest, size: 3),
    ]

    private func makeUpdates(
        over transport: any HTTPTransport,
        recorder: ViewRecorder? = nil
    ) throws -> FeedUpdates<FeedRepository> {
        FeedUpdates(
            source: FeedRepository(endpoint: FakeFeed.endpoint, transport: transport),
            pipeline: try ImagePipeline(storage: FakeFeed.endpoint.storage, transport: transport),
            appearance: .init(layout: WaterfallLayout(width: 208), captionHeight: 20, headingHeight: 30),
            recorder: recorder
        )
    }

    /// Holds downloads only.
    private struct ImageGate: HTTPTransport {
        let gate: GatedTransport
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            try await request.method == "GET" ? gate.send(request) : FakeFeed().send(request)
        }
    }

    @Test func `lays the whole screen out before any image comes, then shows each as it comes`() async throws {
        let gate = GatedTransport(FakeFeed())
        var updates = try makeUpdates(over: ImageGate(gate: gate)).updates(for: Self.sections).makeAsyncIterator()
        guard case .laidOut(let layout)? = try await updates.next() else {
            Issue.record("no layout")
            return
        }
        #expect(layout.sections.map(\.section.name) == ["filtered", "recommended"])
        #expect(layout.sections[0].cells.map(\.post.id) == ["p0", "p1"])
        #expect(layout.sections[1].cells.map(\.post.id) == ["p5", "p4", "p3"])
        // 1080 x 1350 at 100 points, the caption below it, the headings above the sections.
        #expect(layout.cells[0].imageFrame == CGRect(x: 0, y: 30, width: 100, height: 125))
        #expect(layout.cells[0].frame == CGRect(x: 0, y: 30, width: 100, height: 145))
        #expect(abs(layout.cells[2].frame.minY - 213) < 1e-9)
        #expect(layout.height == layout.cells.map(\.frame.maxY).max())
        let dividers = layout.sections.map { EdgeDividers.between($0.cells.map(\.frame)) }
        #expect(dividers == [[.trailing, []], [[.trailing, .bottom], [], []]])

        // The last comes first, and is shown although no other has come.
        try await gate.wait { $0.held == 5 }
        await gate.release(4)
        guard case .image(let first, let data, .network)? = try await updates.next() else {
            Issue.record("no image")
            return
        }
        #expect(layout.cells.map(\.id).contains(first))
        #expect(data.count == 10)
        for _ in 0..<4 { await gate.release() }
        var shown: Set<FeedCellID> = [first]
        while case .image(let id, _, _)? = try await updates.next() { shown.insert(id) }
        #expect(shown == Set(layout.cells.map(\.id)))
    }

    @Test func `goes on when an image fails, and ends when a page does`() async throws {
        var failed: [FeedCellID] = []
        var shownCount = 0
        let updates = try makeUpdates(over: FakeFeed(missing: ["u4/p4/0"])).updates(for: Self.sections)
        for try await update in updates {
            switch update {
            case .laidOut: #expect(shownCount == 0)
            case .image: shownCount += 1
            case .failed(let id, let error):
                failed.append(id)
                #expect(error.status == 404)
            }
        }
        #expect(failed.map(\.post) == ["p4"] && shownCount == 4)

        let broken = try makeUpdates(over: StubTransport(status: 403, "no")).updates(for: Self.sections)
        await #expect(throws: FeedError.self) { for try await _ in broken {} }
    }

    @Test func `asks for the posts that the filter lets through`() async throws {
        let transport = RecordingTransport(FakeFeed())
        for try await _ in try makeUpdates(over: transport).updates(for: [Self.sections[0]]) {}
        let query = try #require(transport.requests.first { $0.method == "POST" }?.body)
        let text = String(decoding: query, as: UTF8.self)
        #expect(text.contains(#""fieldFilter":{"#) && text.contains(#""integerValue":"100""#))
    }

    @Test func `knows where a section goes on`() async throws {
        let updates = try makeUpdates(over: FakeFeed())
        var section: FeedSection? = FeedSection(name: "all", sort: .popular, size: 4)
        var posts: [String] = []
        while let shown = section {
            for try await update in updates.updates(for: [shown]) {
                guard case .laidOut(let layout) = update else { continue }
                posts += layout.cells.map(\.post.id)
                section = layout.sections[0].next
            }
        }
        #expect(posts == ["p0", "p1", "p2", "p3", "p4", "p5"])
    }

    /// Shows a screen of the sections, then each section's next page in turn.
    private func look(_ updates: FeedUpdates<FeedRepository>) async throws {
        var next: [FeedSection] = []
        for try await case .laidOut(let layout) in updates.updates(for: Self.sections) {
            next = layout.sections.compactMap(\.next)
        }
        for section in next { for try await _ in updates.updates(for: [section]) {} }
    }

    @Test func `a screen's sections are recorded so that they can be shown again`() async throws {
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
        let path = directory.url.appendingPathComponent("session.log").path
        let recorder = try ViewRecorder(path: path, client: "u1", endpoint: FakeFeed.endpoint, pageSize: 3)
        let seen = RecordingTransport(FakeFeed())
        try await look(makeUpdates(over: seen, recorder: recorder))
        recorder.recordOpening(try await FeedRepository(endpoint: FakeFeed.endpoint, transport: FakeFeed()).firstPost())
        recorder.recordRelaunch()

        let filtered = SessionView.Listing(
            sort: .popular,
            filter: .init(field: "likes", equals: .integer(100)),
            pageSize: 2
        )
        let views = try SessionLog.load(path).views
        #expect(
            views.map(\.action) == [
                .openFeed(filtered, page: 0), .openFeed(.latest, page: 0),
                .scroll(filtered, page: 1), .scroll(.latest, page: 1),
                .openPost(owner: "u0", post: "p0"), .relaunch,
            ]
        )

        let again = RecordingTransport(FakeFeed())
        let session = FeedSession(
            repository: FeedRepository(endpoint: FakeFeed.endpoint, transport: again),
            pipeline: try ImagePipeline(storage: FakeFeed.endpoint.storage, transport: again),
            mode: .thumbnails,
            pageSize: 3
        )
        for view in views.prefix(4) { try await session.perform(view.action) }
        #expect(Set(again.requests.map(RequestLine.init)) == Set(seen.requests.map(RequestLine.init)))
        #expect(again.requests.count == seen.requests.count)
        #expect(try await session.perform(views[4].action).imageCount == 2)
    }

    /// The part of a request that does not depend on how the loading goes.
    private struct RequestLine: Hashable {
        let url: URL
        let body: Data?
        init(_ request: TransportRequest) {
            url = request.url
            body = request.body
        }
    }
}

extension FeedRepository {
    fileprivate func firstPost() async throws -> FeedPost {
        try #require(try await page(sort: .popular, number: 0, size: 1).posts.first)
    }
}
