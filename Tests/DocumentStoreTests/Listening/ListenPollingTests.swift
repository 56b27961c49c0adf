// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Streams whose clients do not wait, but are called.
struct ListenPollingTests {
    private final class Waiter: ListenWaiter {
        let wakeCount = NIOLockedValueBox(0)

        func wake() { wakeCount.withLockedValue { $0 += 1 } }
    }

    private let waiter = Waiter()
    private var wakeCount: Int { waiter.wakeCount.withLockedValue(\.self) }

    /// The events that there are by now; none where the stream calls when there are some.
    private func next(of stream: ListenStream) throws -> [String]? {
        while true {
            guard let batch = try stream.pull() else { return nil }
            if !batch.isEmpty { return batch.texts }
            if stream.park(waiter) { return [] }
        }
    }

    @Test func `a client is called once when something has happened`() async throws {
        let fixture = try ListenFixture()
        let stream = try await fixture.open(.collection("c"))
        while try next(of: stream)?.isEmpty == false {}
        #expect(wakeCount == 0)
        try fixture.set("c/a", 1)
        try fixture.set("c/b", 2)
        #expect(wakeCount == 1)
        var texts: [String] = []
        while let more = try next(of: stream), !more.isEmpty { texts += more }
        #expect(texts.filter { $0 != "SNAPSHOT" } == ["c/a=1 [1]", "c/b=2 [1]"])
        try fixture.set("c/a", 3)
        #expect(wakeCount == 2)
    }

    @Test func `a client is called when its stream is closed`() async throws {
        let fixture = try ListenFixture()
        let stream = try await fixture.open(.collection("c"))
        while try next(of: stream)?.isEmpty == false {}
        stream.close()
        #expect(wakeCount == 1)
        #expect(try next(of: stream) == nil)
    }
}
