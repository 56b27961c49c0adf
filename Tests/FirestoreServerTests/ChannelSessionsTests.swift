// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import Metering
import Testing
import Wire

@testable import FirestoreServer

@Suite(.timeLimit(.minutes(5)))
struct ChannelSessionsTests {
    private let sessions: ChannelSessions
    private let calls: FirestoreCalls

    init() throws {
        let store = try SQLiteDocumentStore(location: .memory) { Timestamp(seconds: 1_795_222_149) }
        calls = FirestoreCalls(
            store: store,
            transactions: TransactionManager(store: store),
            listening: try ListenHub(store: store)
        )
        sessions = ChannelSessions(calls: calls)
    }

    private func open() async throws -> (ChannelSession, Exchange) {
        let session = try sessions.open(.listen, in: calls.context(CallUsage(call: "listen"), caller: .anonymous))
        let exchange = Exchange(attribution: UsageAttribution(service: .firestore, operation: "firestore.listen"))
        let json = """
            {"database":"\(FirestoreFixture.database)","addTarget":{"targetId":1,
             "documents":{"documents":["\(FirestoreFixture.documents)/c/d"]}}}
            """
        await session.deliver([ChannelInbox.Message(number: 0, json: Array(json.utf8))], from: exchange)
        return (session, exchange)
    }

    @Test func `a session whose page is gone ends, and gives back its listener`() async throws {
        let (session, exchange) = try await open()
        let backChannel = session.attach(after: 0, endsWithChunk: false, lookCount: 1_000, exchange: exchange)
        for _ in 0..<2 * ChannelLimits.abandonedLookCount { sessions.look() }
        #expect(sessions[session.id] === session)
        session.detach(try #require(backChannel))
        for _ in 1..<ChannelLimits.abandonedLookCount { sessions.look() }
        #expect(sessions[session.id] === session)
        #expect(calls.listening.streamCount == 1)
        sessions.look()
        #expect(sessions[session.id] == nil)
        #expect(session.hasEnded)
        #expect(calls.listening.streamCount == 0)
    }
}
