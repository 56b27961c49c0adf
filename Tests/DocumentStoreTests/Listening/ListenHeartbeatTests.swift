// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import NIOConcurrencyHelpers
import Testing

@testable import DocumentStore
@testable import FirestoreModel

@Suite(.timeLimit(.minutes(5)))
struct ListenHeartbeatTests {
    @Test func `the time is announced again after the store could not be read`() async throws {
        let now = NIOLockedValueBox(noon)
        let store = try SQLiteDocumentStore(location: .memory, clock: { now.withLockedValue(\.self) })
        let history = RecordedHistory()
        store.addObserver(history)
        let hub = try ListenHub(store: store, history: history, limits: ListenLimits())
        let stream = hub.openStream(in: demo)
        stream.add(ListenTarget(id: 1, .collection("c")))
        #expect(try await stream.next()?.texts == ["ADD 1", "CURRENT 1", "SNAPSHOT"])
        let clock = ManualClock()
        let heartbeat = Task { await hub.announceTime(clock: clock) }
        for (beat, isFailing) in [true, false].enumerated() {
            await clock.awaitSleeper(until: ListenHub.heartbeatInterval * (beat + 1))
            history.fail(isFailing)
            now.withLockedValue { $0 = Timestamp(seconds: $0.seconds + 30, nanoseconds: $0.nanoseconds) }
            clock.advance(by: ListenHub.heartbeatInterval)
        }
        #expect(try await stream.next()?.texts == ["SNAPSHOT"])
        heartbeat.cancel()
        await heartbeat.value
    }
}
