// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import Testing

@testable import FunctionEvents

@Suite(.timeLimit(.minutes(10))) struct `URLs for events` {
    private static let types = "google.cloud.firestore.document.v1"

    @Test(arguments: [
        "", "127.0.0.1:9", "https://example.com/", "http://", "http://127.0.0.1:9/#x=1", "http://127.0.0.1:9/#type",
        "http://127.0.0.1:9/#type=", "http://127.0.0.1:9/#type=any", "http://127.0.0.1:9/#document=users",
        "http://127.0.0.1:9/#document=a/b&document=c/d", "http://127.0.0.1:99999/", "http://127.0.0.1:9/a b",
        "http://127.0.0.1:9/\r\n",
    ])
    func `a URL or a filter that makes no sense is refused`(text: String) {
        #expect(throws: EventSubscriptionError.self) { try EventSubscription(parsing: text) }
    }

    @Test(arguments: [
        ("", ["updated"]), ("#type=\(types).written", ["written"]), ("#type=\(types).created", []),
        ("#type=\(types).written,\(types).updated.withAuthContext", ["updated.withAuthContext", "written"]),
        ("#document=notes/{note}", ["updated"]), ("#document=rooms/{room}", []), ("#database=(default)", ["updated"]),
        ("#database=other", []), ("#bucket=b", []), ("#type=google.cloud.storage.object.v1.finalized", []),
    ])
    func `filters choose the events of a document's change`(filters: String, types: [String]) async throws {
        let harness = try Harness(urls: ["http://127.0.0.1:9/f\(filters)"])
        harness.events.documentChanged(try Samples.write("notes/1", ["a": .null], [:]))
        await harness.events.idle()
        let posted = harness.recorder.posted
        #expect(posted.compactMap { $0.header("ce-type") }.sorted() == types.map { "\(Self.types).\($0)" })
        #expect(posted.allSatisfy { $0.url == "http://127.0.0.1:9/f" })
    }

    @Test func `a URL gets protocol buffers as bytes`() async throws {
        let harness = try Harness(urls: ["http://127.0.0.1:9/"])
        let write = try Samples.write("notes/1", nil, ["a": .integer(1)])
        harness.events.documentChanged(write)
        await harness.events.idle()
        let event = try #require(harness.recorder.posted.first)
        #expect(event.header("Content-Type") == "application/protobuf")
        #expect(event.body == (try write.message))
    }

    @Test func `an event is sent again after pauses that grow`() async throws {
        let harness = try Harness(urls: ["http://127.0.0.1:9/"])
        harness.recorder.answer([.success(503), .failure(.unreachable), .success(429), .failure(.timedOut)])
        harness.events.documentChanged(try Samples.write("notes/1", nil, [:]))
        await harness.events.idle()
        #expect(harness.pauses == [.milliseconds(250), .seconds(1), .seconds(4), .seconds(16)])
        #expect(Set(harness.recorder.posted.map { $0.header("ce-id") }) == ["event-1"])
        #expect(harness.events.invocations["http://127.0.0.1:9/"] == counts(succeeded: 1, repeated: 4))
        #expect(harness.warnings.isEmpty)
    }

    @Test func `an event is given up after five attempts, and reported once`() async throws {
        let harness = try Harness(urls: ["http://127.0.0.1:9/"])
        harness.recorder.answer(Array(repeating: .failure(.unreachable), count: 10))
        for number in 1...2 { harness.events.documentChanged(try Samples.write("notes/\(number)", nil, [:])) }
        await harness.events.idle()
        #expect(harness.recorder.posted.count == 10)
        #expect(harness.events.invocations["http://127.0.0.1:9/"] == counts(failed: 2, repeated: 8))
        #expect(harness.warnings.count == 1)
    }

    @Test(arguments: [400, 401, 404, 302]) func `a refusal is not repeated`(status: Int) async throws {
        let harness = try Harness(urls: ["http://127.0.0.1:9/"])
        harness.recorder.answer([.success(status)])
        harness.events.documentChanged(try Samples.write("notes/1", nil, [:]))
        await harness.events.idle()
        #expect(harness.recorder.posted.count == 1)
        #expect(harness.events.invocations["http://127.0.0.1:9/"]?.failed == 1)
    }

    private func counts(succeeded: Int = 0, failed: Int = 0, repeated: Int = 0) -> InvocationCounts {
        var counts = InvocationCounts()
        (counts.succeeded, counts.failed, counts.repeated) = (succeeded, failed, repeated)
        return counts
    }
}
